package dev.lasso.routing.select;

import java.util.Arrays;

/**
 * The channels still in the running for one request, as indexes into the chain's channels: working
 * memory of a {@link Selector}, reused from request to request and so owned by its thread.
 */
final class Candidates {
  private static final int INSERTION_SORT_MAX = 48;

  private int[] order = new int[32];
  private double[] keys = new double[32];
  private int size;

  /** Empties it and makes room for the given number of channels. */
  void reset(int capacity) {
    size = 0;
    if (order.length < capacity) {
      order = new int[capacity];
    }
    if (keys.length < capacity) {
      keys = new double[capacity];
    }
  }

  void add(int channelIndex) {
    order[size++] = channelIndex;
  }

  int size() {
    return size;
  }

  /** The channel at a position. */
  int at(int position) {
    return order[position];
  }

  /** Sets the sort key of a channel (not of a position). */
  void key(int channelIndex, double key) {
    keys[channelIndex] = key;
  }

  double key(int channelIndex) {
    return keys[channelIndex];
  }

  void swap(int a, int b) {
    int held = order[a];
    order[a] = order[b];
    order[b] = held;
  }

  /** Moves a position to the front, keeping the order of the others. */
  void lead(int position) {
    int held = order[position];
    System.arraycopy(order, 0, order, 1, position);
    order[0] = held;
  }

  /** Sorts by ascending key; equal keys keep their order. */
  void sort() {
    if (size > INSERTION_SORT_MAX) {
      sortLarge();
      return;
    }
    for (int i = 1; i < size; i++) {
      int held = order[i];
      double key = keys[held];
      int j = i - 1;
      while (j >= 0 && keys[order[j]] > key) {
        order[j + 1] = order[j];
        j--;
      }
      order[j + 1] = held;
    }
  }

  private void sortLarge() {
    Integer[] boxed = new Integer[size];
    for (int i = 0; i < size; i++) {
      boxed[i] = order[i];
    }
    Arrays.sort(boxed, (a, b) -> Double.compare(keys[a], keys[b]));
    for (int i = 0; i < size; i++) {
      order[i] = boxed[i];
    }
  }
}

package dev.lasso.runtime;

/**
 * A part of a process that is started and stopped: a broker, a server, a consumer. Both methods run
 * on a virtual thread and may block; they are interrupted when they take longer than their {@link
 * ServiceGroup} allows.
 */
public interface Service {
  /** A short name for logs and errors, {@code admin server}. */
  String name();

  /** Returns when the service works, throws when it can't. */
  void start() throws Exception;

  /** Returns when nothing of the service is left. Called only after {@link #start} returned. */
  void stop() throws Exception;

  /** One of the two halves of a service, for {@link #of}. */
  @FunctionalInterface
  interface Step {
    /** Does it. */
    void run() throws Exception;
  }

  /** A service made of two steps. */
  static Service of(String name, Step start, Step stop) {
    return new Service() {
      @Override
      public String name() {
        return name;
      }

      @Override
      public void start() throws Exception {
        start.run();
      }

      @Override
      public void stop() throws Exception {
        stop.run();
      }
    };
  }
}

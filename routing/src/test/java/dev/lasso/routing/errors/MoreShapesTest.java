package dev.lasso.routing.errors;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Shapes that the observed ones stand for ({@code more-shapes.txt}). */
class MoreShapesTest {
  record Shape(UpstreamError error, String expected) {
    static Shape parse(String line) {
      String[] columns = line.split(" +", 4);
      return new Shape(
          new UpstreamError(
              number(columns[0]),
              number(columns[1]),
              columns[3].equals("-") ? null : columns[3],
              null),
          columns[2]);
    }

    private static @Nullable Integer number(String text) {
      return text.equals("-") ? null : Integer.valueOf(text);
    }
  }

  static List<Shape> shapes() throws IOException {
    try (InputStream in =
        Objects.requireNonNull(MoreShapesTest.class.getResourceAsStream("more-shapes.txt"))) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .filter(line -> !line.startsWith("#"))
          .map(Shape::parse)
          .toList();
    }
  }

  @ParameterizedTest
  @MethodSource("shapes")
  void isOfTheExpectedClass(Shape shape) {
    Classification found = ErrorClassifier.standard().classify(shape.error());

    assertThat(found.errorClass().word()).as(found.rule()).isEqualTo(shape.expected());
  }
}

package dev.lasso.routing.errors;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.lasso.routing.errors.ErrorClass.Failover;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * The classifier against the error shapes observed from nodes and providers ({@code
 * provider-errors.json}). Rows where it knowingly decides otherwise are listed, each with a reason,
 * in {@code disagreements.json}.
 */
class ObservedErrorsTest {
  private static final double FLOOR = 0.97;

  private record Shape(UpstreamError error, Verdict expected, boolean solid) {
    boolean agrees() {
      return Verdict.of(classified().errorClass()).equals(expected);
    }

    Classification classified() {
      return ErrorClassifier.standard().classify(error);
    }
  }

  private record Verdict(String category, boolean otherProvider, boolean penalised) {
    static Verdict of(ErrorClass errorClass) {
      return new Verdict(
          errorClass.category(), errorClass.failover() != Failover.FINAL, errorClass.penalised());
    }
  }

  @Test
  void agreesWithNearlyAllSolidShapes() throws IOException {
    List<Shape> solid = shapes().stream().filter(Shape::solid).toList();

    long agreed = solid.stream().filter(Shape::agrees).count();

    assertThat(solid).hasSize(286);
    assertThat((double) agreed / solid.size()).isGreaterThanOrEqualTo(FLOOR);
  }

  @Test
  void everyDisagreementIsListedWithItsReasonAndNoOther() throws IOException {
    Set<String> listed = new TreeSet<>();
    for (JsonNode row : read("disagreements.json")) {
      assertThat(row.path("reason").asText()).as(row.toString()).isNotBlank();
      listed.add(
          "%s %s %s: %s"
              .formatted(
                  text(row, "http_status"),
                  text(row, "code"),
                  text(row, "message"),
                  text(row, "class")));
    }

    Set<String> found =
        shapes().stream()
            .filter(shape -> !shape.agrees())
            .map(
                shape ->
                    "%s %s %s: %s"
                        .formatted(
                            shape.error().httpStatus(),
                            shape.error().code(),
                            shape.error().message(),
                            shape.classified().errorClass().word()))
            .collect(Collectors.toCollection(TreeSet::new));

    assertThat(found).isEqualTo(listed);
  }

  private static List<Shape> shapes() throws IOException {
    List<Shape> shapes = new ArrayList<>();
    for (JsonNode row : read("provider-errors.json")) {
      JsonNode data = row.path("data");
      String source = row.path("source").asText();
      shapes.add(
          new Shape(
              new UpstreamError(
                  number(row.path("http_status")),
                  number(row.path("code")),
                  row.path("message").asText(),
                  data.isNull() || data.isMissingNode() ? null : data.toString()),
              new Verdict(
                  row.path("category").asText(),
                  row.path("retry_other_provider").asBoolean(),
                  row.path("breaker_failure").asBoolean()),
              source.contains("[verbatim") || source.contains("[pattern")));
    }
    return shapes;
  }

  private static @Nullable Integer number(JsonNode node) {
    return node.isInt() ? Integer.valueOf(node.intValue()) : null;
  }

  private static String text(JsonNode row, String field) {
    return row.path(field).asText();
  }

  private static JsonNode read(String resource) throws IOException {
    try (InputStream in =
        Objects.requireNonNull(ObservedErrorsTest.class.getResourceAsStream(resource))) {
      return new ObjectMapper().readTree(in);
    }
  }
}

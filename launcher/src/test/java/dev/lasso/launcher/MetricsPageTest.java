package dev.lasso.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lasso.engine.record.RecordMeters;
import dev.lasso.gateway.GatewayMeters;
import dev.lasso.runtime.MeterSpec;
import dev.lasso.runtime.RuntimeMeters;
import dev.lasso.subscription.ClientMeters;
import dev.lasso.subscription.StreamMeters;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** {@code docs/metrics.md} lists every meter; {@code bin/generate-docs} writes it anew. */
class MetricsPageTest {
  private static final Path PAGE = Path.of("../docs/metrics.md");
  private static final String BEGIN = "<!-- meters: generated -->\n";
  private static final String END = "<!-- end of meters -->";
  private static final Pattern DECLARED =
      Pattern.compile("MeterSpec\\.(?:counter|gauge|timer)\\(\\s*\"([^\"]+)\"");
  private static final Pattern UNDECLARED =
      Pattern.compile(
          "(?:Counter|Gauge|Timer|DistributionSummary)\\.builder"
              + "|(?:meters|registry|registry\\(\\))\\s*\\.(?:counter|gauge|timer|summary)\\(\\s*\"");

  private record Section(String title, List<MeterSpec> meters) {}

  private static final List<Section> SECTIONS =
      List.of(
          new Section("Every process", RuntimeMeters.ALL),
          new Section("Calls to providers, and what is told to the fleet", RecordMeters.ALL),
          new Section("Gateway", GatewayMeters.ALL),
          new Section("Subscription: the chains that the process owns", StreamMeters.ALL),
          new Section("Subscription: clients over WebSocket", ClientMeters.ALL));

  @Test
  void thePageListsTheMetersThereAre() throws IOException {
    String page = Files.readString(PAGE);
    String written =
        page.substring(0, page.indexOf(BEGIN) + BEGIN.length())
            + SECTIONS.stream().map(MetricsPageTest::table).collect(Collectors.joining())
            + "\n"
            + page.substring(page.indexOf(END));
    if (Boolean.getBoolean("lasso.update")) {
      Files.writeString(PAGE, written);
    }

    assertThat(Files.readString(PAGE)).isEqualTo(written);
  }

  @Test
  void everyDeclaredMeterIsListedAndNoneIsMadeWithoutADeclaration() throws IOException {
    TreeSet<String> declared = new TreeSet<>();
    for (Path source : sources()) {
      String code = Files.readString(source);
      List<String> here = DECLARED.matcher(code).results().map(match -> match.group(1)).toList();
      declared.addAll(here);
      if (here.isEmpty() && !source.endsWith("MeterSpec.java")) {
        assertThat(UNDECLARED.matcher(code).results().map(MatchResult::group))
            .as(source.toString())
            .isEmpty();
      }
    }

    assertThat(meters().map(MeterSpec::name)).containsExactlyInAnyOrderElementsOf(declared);
  }

  @Test
  void prometheusShowsEachMeterUnderTheNameOfThePage() {
    PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    meters().forEach(meter -> register(meter, registry));

    assertThat(meters())
        .allSatisfy(
            meter ->
                assertThat(registry.scrape())
                    .containsPattern(
                        "(?m)^"
                            + meter.prometheusName()
                            + (meter.kind() == MeterSpec.Kind.TIMER ? "_count" : "")
                            + "[{ ]"));
  }

  private static Stream<MeterSpec> meters() {
    return SECTIONS.stream().flatMap(section -> section.meters().stream());
  }

  private static List<Path> sources() throws IOException {
    try (Stream<Path> modules = Files.list(Path.of(".."))) {
      List<Path> roots =
          modules
              .map(module -> module.resolve("src/main/java"))
              .filter(Files::isDirectory)
              .toList();
      List<Path> sources = new java.util.ArrayList<>();
      for (Path root : roots) {
        try (Stream<Path> files = Files.walk(root)) {
          files.filter(file -> file.toString().endsWith(".java")).forEach(sources::add);
        }
      }
      return sources;
    }
  }

  private static void register(MeterSpec meter, PrometheusMeterRegistry registry) {
    String[] values = meter.tags().toArray(String[]::new);
    switch (meter.kind()) {
      case COUNTER -> meter.counter(registry, values);
      case GAUGE -> meter.gauge(registry, meter, _ -> 1, values);
      case TIMER -> meter.timer(registry, values);
    }
  }

  private static String table(Section section) {
    return "\n### "
        + section.title()
        + "\n\n| meter | type | unit | tags | meaning |\n|---|---|---|---|---|\n"
        + section.meters().stream().map(MetricsPageTest::row).collect(Collectors.joining());
  }

  private static String row(MeterSpec meter) {
    return "| `%s` | %s | %s | %s | %s |\n"
        .formatted(
            meter.prometheusName(),
            meter.kind().name().toLowerCase(Locale.ROOT),
            meter.unit(),
            meter.tags().stream().map(tag -> "`" + tag + "`").collect(Collectors.joining(", ")),
            meter.meaning());
  }
}

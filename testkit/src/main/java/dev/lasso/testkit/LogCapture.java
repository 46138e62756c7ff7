package dev.lasso.testkit;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.slf4j.LoggerFactory;

/**
 * Records what is logged under a logger while a test runs, and fails the test when something was
 * logged at ERROR that the test did not {@linkplain #expectError expect}. A field with
 * {@code @RegisterExtension}; not for tests that run in parallel.
 */
public final class LogCapture implements BeforeEachCallback, AfterEachCallback {
  private final Logger logger;
  private final Recorder recorder = new Recorder();
  private final List<String> expected = new CopyOnWriteArrayList<>();

  private LogCapture(String name) {
    this.logger = ((LoggerContext) LoggerFactory.getILoggerFactory()).getLogger(name);
  }

  /** Captures everything below {@code dev.lasso}. */
  public static LogCapture ofLasso() {
    return new LogCapture("dev.lasso");
  }

  /** Captures everything, libraries included. */
  public static LogCapture ofEverything() {
    return new LogCapture(org.slf4j.Logger.ROOT_LOGGER_NAME);
  }

  /** Captures what {@code type} logs. */
  public static LogCapture of(Class<?> type) {
    return new LogCapture(type.getName());
  }

  /** An ERROR whose message contains {@code part} does not fail the test. */
  public void expectError(String part) {
    expected.add(part);
  }

  /**
   * The messages at {@code level} so far, each followed by its key-value pairs as {@code
   * key=value}.
   */
  public List<String> messages(org.slf4j.event.Level level) {
    return at(Level.convertAnSLF4JLevel(level)).map(LogCapture::text).toList();
  }

  /** Fails when an unexpected ERROR was logged so far; also called after each test. */
  public void assertNoUnexpectedErrors() {
    List<String> unexpected =
        at(Level.ERROR)
            .map(LogCapture::text)
            .filter(text -> expected.stream().noneMatch(text::contains))
            .toList();
    if (!unexpected.isEmpty()) {
      throw new AssertionError("unexpected errors were logged:\n" + String.join("\n", unexpected));
    }
  }

  @Override
  public void beforeEach(ExtensionContext context) {
    recorder.events.clear();
    expected.clear();
    recorder.setContext(logger.getLoggerContext());
    recorder.start();
    logger.addAppender(recorder);
  }

  @Override
  public void afterEach(ExtensionContext context) {
    logger.detachAppender(recorder);
    recorder.stop();
    assertNoUnexpectedErrors();
  }

  private Stream<ILoggingEvent> at(Level level) {
    return recorder.events.stream().filter(event -> event.getLevel().equals(level));
  }

  private static String text(ILoggingEvent event) {
    List<org.slf4j.event.KeyValuePair> pairs = event.getKeyValuePairs();
    return pairs == null
        ? event.getFormattedMessage()
        : event.getFormattedMessage()
            + pairs.stream()
                .map(pair -> " " + pair.key + "=" + pair.value)
                .collect(Collectors.joining());
  }

  private static final class Recorder extends AppenderBase<ILoggingEvent> {
    private final List<ILoggingEvent> events = new CopyOnWriteArrayList<>();

    @Override
    protected void append(ILoggingEvent event) {
      events.add(event);
    }
  }
}

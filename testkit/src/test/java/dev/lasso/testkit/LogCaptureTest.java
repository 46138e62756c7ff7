package dev.lasso.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

class LogCaptureTest {
  private static final Logger log = LoggerFactory.getLogger(LogCaptureTest.class);

  @RegisterExtension final LogCapture logs = LogCapture.of(LogCaptureTest.class);

  @Test
  void keepsMessagesWithTheirKeys() {
    log.atWarn().addKeyValue("chain", 1).log("head stalled");

    assertThat(logs.messages(Level.WARN)).containsExactly("head stalled chain=1");
    assertThat(logs.messages(Level.INFO)).isEmpty();
  }

  @Test
  void anErrorNobodyExpectedIsAFailure() {
    log.atError().log("disk full");

    assertThatThrownBy(logs::assertNoUnexpectedErrors).hasMessageContaining("disk full");

    logs.expectError("disk full");
    logs.assertNoUnexpectedErrors();
  }
}

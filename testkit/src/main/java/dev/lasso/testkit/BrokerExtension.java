package dev.lasso.testkit;

import dev.lasso.broker.EmbeddedBroker;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Gives integration tests a {@link TestBroker} parameter:
 * {@code @ExtendWith(BrokerExtension.class)}. The broker starts when the first test of the JVM asks
 * for one, is shared by all test classes and ends with the test run; each class gets its own topic
 * prefix. A test that has to stop the broker makes its own {@link EmbeddedBroker} instead.
 */
public final class BrokerExtension implements ParameterResolver {
  private static final Namespace NAMESPACE = Namespace.create(BrokerExtension.class);
  private static final AtomicInteger CLASSES = new AtomicInteger();

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return parameter.getParameter().getType() == TestBroker.class;
  }

  @Override
  public TestBroker resolveParameter(ParameterContext parameter, ExtensionContext context) {
    EmbeddedBroker broker =
        context
            .getRoot()
            .getStore(NAMESPACE)
            .computeIfAbsent(
                EmbeddedBroker.class,
                _ -> EmbeddedBroker.ephemeral(0).start(),
                EmbeddedBroker.class);
    Class<?> testClass = context.getRequiredTestClass();
    return context
        .getRoot()
        .getStore(NAMESPACE)
        .computeIfAbsent(
            testClass, key -> new TestBroker(broker, prefix(testClass)), TestBroker.class);
  }

  private static String prefix(Class<?> testClass) {
    return testClass.getSimpleName().toLowerCase(Locale.ROOT)
        + "-"
        + CLASSES.incrementAndGet()
        + ".";
  }
}

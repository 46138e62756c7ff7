package dev.lasso.schemas;

import dev.lasso.schemas.avro.AttemptRecord;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.avro.Schema;
import org.apache.avro.data.TimeConversions;
import org.apache.avro.specific.SpecificData;

/**
 * The model by which Avro finds the classes generated from the topic schemas. Avro loads a class
 * that a schema names only when somebody trusts it; this model trusts the package of the generated
 * classes and nothing else, without touching Avro's process-wide list.
 *
 * <p>Safe on any thread.
 */
final class GeneratedClasses extends SpecificData {
  static final GeneratedClasses MODEL = new GeneratedClasses();

  private static final String NAMESPACE = AttemptRecord.class.getPackageName();

  private final Map<String, Class<?>> byName = new ConcurrentHashMap<>();

  private GeneratedClasses() {
    addLogicalTypeConversion(new TimeConversions.TimestampMillisConversion());
  }

  @Override
  @SuppressWarnings("rawtypes") // as Avro declares it
  public Class getClass(Schema schema) {
    boolean generated =
        switch (schema.getType()) {
          case RECORD, ENUM -> NAMESPACE.equals(schema.getNamespace());
          case FIXED, ARRAY, MAP, UNION, STRING, BYTES, INT, LONG, FLOAT, DOUBLE, BOOLEAN, NULL ->
              false;
        };
    return generated
        ? byName.computeIfAbsent(schema.getFullName(), GeneratedClasses::load)
        : super.getClass(schema);
  }

  private static Class<?> load(String name) {
    try {
      return Class.forName(name, true, GeneratedClasses.class.getClassLoader());
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException("no class was generated for schema " + name, e);
    }
  }
}

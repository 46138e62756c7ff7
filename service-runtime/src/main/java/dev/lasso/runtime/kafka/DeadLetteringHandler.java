package dev.lasso.runtime.kafka;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.streams.errors.DeserializationExceptionHandler;
import org.apache.kafka.streams.errors.ErrorHandlerContext;
import org.apache.kafka.streams.errors.ProcessingExceptionHandler;
import org.apache.kafka.streams.processor.api.Record;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets a topology go on behind a record that it can't read, and behind one at which its code
 * throws: otherwise one bad record would stop its partition for ever. Made by Streams, which passes
 * it the dead letters among its properties. Called on stream threads.
 */
public final class DeadLetteringHandler
    implements DeserializationExceptionHandler, ProcessingExceptionHandler {
  static final String LETTERS = "lasso.dead.letters";
  static final String READER = "lasso.dead.letters.reader";

  private static final Logger log = LoggerFactory.getLogger(DeadLetteringHandler.class);

  private DeadLetters letters = (record, reader, why) -> {};
  private String reader = "";

  @Override
  public void configure(Map<String, ?> properties) {
    if (properties.get(LETTERS) instanceof DeadLetters configured) {
      letters = configured;
    }
    reader = String.valueOf(properties.get(READER));
  }

  @Override
  public DeserializationExceptionHandler.Response handleError(
      ErrorHandlerContext context, ConsumerRecord<byte[], byte[]> record, Exception why) {
    letters.reject(record, reader, why);
    return DeserializationExceptionHandler.Response.resume(List.of());
  }

  @Override
  public ProcessingExceptionHandler.Response handleError(
      ErrorHandlerContext context, @Nullable Record<?, ?> record, Exception why) {
    // unlike unreadable bytes this is a fault in our code
    log.atError()
        .setCause(why)
        .addKeyValue("topology", reader)
        .addKeyValue("processor", context.processorNodeId())
        .addKeyValue("topic", context.topic())
        .addKeyValue("partition", context.partition())
        .addKeyValue("offset", context.offset())
        .log("topology failed at a record");
    if (context.topic() != null) {
      letters.reject(source(context), reader, why);
    }
    return ProcessingExceptionHandler.Response.resume(List.of());
  }

  private static ConsumerRecord<byte[], byte[]> source(ErrorHandlerContext context) {
    byte[] key = context.sourceRawKey();
    byte[] value = context.sourceRawValue();
    return new ConsumerRecord<>(
        context.topic(),
        context.partition(),
        context.offset(),
        context.timestamp(),
        TimestampType.CREATE_TIME,
        key == null ? ConsumerRecord.NULL_SIZE : key.length,
        value == null ? ConsumerRecord.NULL_SIZE : value.length,
        key,
        value,
        context.headers(),
        Optional.empty());
  }
}

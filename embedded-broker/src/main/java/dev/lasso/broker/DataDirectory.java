package dev.lasso.broker;

import dev.lasso.broker.EmbeddedBroker.StartException;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.stream.Stream;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.metadata.storage.Formatter;
import org.apache.kafka.server.common.Feature;
import org.apache.kafka.server.common.MetadataVersion;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/**
 * Where a broker keeps its logs: a directory somebody named and keeps, or a temporary one that goes
 * with the broker. Formatted once, then only checked. Used under the broker's lock.
 */
final class DataDirectory {
  private static final String META_PROPERTIES = "meta.properties";
  private static final String KAFKA_LOCK = ".lock";

  private final boolean temporary;
  private @Nullable Path directory;

  private DataDirectory(@Nullable Path directory, boolean temporary) {
    this.directory = directory;
    this.temporary = temporary;
  }

  static DataDirectory kept(Path directory) {
    return new DataDirectory(directory.toAbsolutePath().normalize(), false);
  }

  static DataDirectory temporary() {
    return new DataDirectory(null, true);
  }

  /**
   * Makes the directory ready for a broker to start on.
   *
   * @throws StartException when it can't be created, read or written, belongs to something else or
   *     is in use
   */
  Path prepare() {
    Path ready = created();
    if (!Files.isReadable(ready) || !Files.isWritable(ready) || !Files.isExecutable(ready)) {
      throw new StartException(
          "the Kafka data directory " + ready + " is not readable and writable");
    }
    if (!Files.exists(ready.resolve(META_PROPERTIES))) {
      refuseForeign(ready);
      format(ready);
    }
    refuseInUse(ready);
    return ready;
  }

  /** Deletes a temporary directory; a kept one stays. */
  void release() {
    Path obsolete = directory;
    if (temporary && obsolete != null) {
      directory = null;
      delete(obsolete);
    }
  }

  private Path created() {
    Path wanted = directory;
    try {
      if (wanted == null) {
        directory = Files.createTempDirectory("lasso-kafka-");
        return directory;
      }
      return Files.createDirectories(wanted);
    } catch (FileAlreadyExistsException e) {
      throw new StartException("the Kafka data directory " + wanted + " is a file", e);
    } catch (IOException e) {
      throw new StartException(
          "the Kafka data directory " + wanted + " can't be created: " + e.getMessage(), e);
    }
  }

  private static void refuseForeign(Path ready) {
    try (Stream<Path> entries = Files.list(ready)) {
      if (entries.anyMatch(entry -> !entry.endsWith(KAFKA_LOCK))) {
        throw new StartException(
            "the Kafka data directory "
                + ready
                + " holds files that are not Kafka's; name an empty directory");
      }
    } catch (IOException e) {
      throw new StartException(
          "the Kafka data directory " + ready + " can't be read: " + e.getMessage(), e);
    }
  }

  private static void format(Path ready) {
    try (PrintStream silent =
        new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8)) {
      new Formatter()
          .setPrintStream(silent)
          .setSupportedFeatures(Feature.PRODUCTION_FEATURES)
          .setReleaseVersion(MetadataVersion.latestProduction())
          .setClusterId(Uuid.randomUuid().toString())
          .setNodeId(BrokerSettings.NODE_ID)
          .setControllerListenerName(ListenSockets.CONTROLLER)
          .setDirectories(List.of(ready.toString()))
          .setMetadataLogDirectory(ready.toString())
          .run();
    } catch (Exception e) {
      throw new StartException(
          "the Kafka data directory " + ready + " can't be formatted: " + e.getMessage(), e);
    }
  }

  /**
   * Takes and returns Kafka's own lock, because Kafka itself would find out only after half of it
   * has started.
   */
  private static void refuseInUse(Path ready) {
    try (FileChannel channel =
            FileChannel.open(
                ready.resolve(KAFKA_LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        FileLock lock = channel.tryLock()) {
      if (lock == null) {
        throw inUse(ready);
      }
    } catch (OverlappingFileLockException _) {
      throw inUse(ready);
    } catch (IOException e) {
      throw new StartException(
          "the Kafka data directory " + ready + " can't be locked: " + e.getMessage(), e);
    }
  }

  private static StartException inUse(Path ready) {
    return new StartException("the Kafka data directory " + ready + " is in use by another broker");
  }

  private static void delete(Path tree) {
    try {
      Files.walkFileTree(
          tree,
          new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
                throws IOException {
              Files.deleteIfExists(file);
              return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path visited, @Nullable IOException failure)
                throws IOException {
              Files.deleteIfExists(visited);
              return FileVisitResult.CONTINUE;
            }
          });
    } catch (IOException e) {
      LoggerFactory.getLogger(DataDirectory.class)
          .atWarn()
          .setCause(e)
          .addKeyValue("directory", tree)
          .log("temporary Kafka data not deleted");
    }
  }
}

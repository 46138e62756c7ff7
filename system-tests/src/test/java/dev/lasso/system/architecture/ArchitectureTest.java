package dev.lasso.system.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.GeneralCodingRules.ACCESS_STANDARD_STREAMS;
import static com.tngtech.archunit.library.GeneralCodingRules.NO_CLASSES_SHOULD_USE_JAVA_UTIL_LOGGING;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.domain.JavaPackage;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import com.tngtech.archunit.library.dependencies.SlicesRuleDefinition;
import java.time.Clock;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDateTime;
import java.util.concurrent.ThreadLocalRandom;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.slf4j.Logger;

/** The rules of docs/architecture.md and the house style that hold for every class that ships. */
class ArchitectureTest {
  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(location -> !location.contains("/dev/lasso/system/"))
          .withImportOption(location -> !location.contains("/dev/lasso/benchmarks/"))
          .importPackages("dev.lasso");

  private static final String GENERATED = "dev.lasso.schemas.avro..";

  @ParameterizedTest
  @EnumSource
  void seesOnlyTheModulesThatItsRowNames(Module module) {
    assertThat(CLASSES.stream().anyMatch(in(module))).as("classes of " + module).isTrue();
    noClasses()
        .that()
        .resideInAPackage(module.packages())
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(module.hidden())
        .check(CLASSES);
  }

  @Test
  void routingSeesOnlyTheJdkAndItself() {
    classes()
        .that()
        .resideInAPackage(Module.ROUTING.packages())
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage("java..", "org.jspecify..", Module.ROUTING.packages())
        .check(CLASSES);
  }

  @Test
  void routingHasNoClockAndNoRandomnessOfItsOwn() {
    noClasses()
        .that()
        .resideInAPackage(Module.ROUTING.packages())
        .should()
        .callMethod(System.class, "nanoTime")
        .orShould()
        .callMethod(System.class, "currentTimeMillis")
        .orShould()
        .callMethod(Instant.class, "now")
        .orShould()
        .callMethod(LocalDateTime.class, "now")
        .orShould()
        .callMethod(Math.class, "random")
        .orShould()
        .callMethod(RandomGenerator.class, "getDefault")
        .orShould()
        .dependOnClassesThat()
        .areAssignableTo(ThreadLocalRandom.class)
        .orShould()
        .dependOnClassesThat()
        .areAssignableTo(Clock.class)
        .orShould()
        .dependOnClassesThat()
        .areAssignableTo(InstantSource.class)
        .check(CLASSES);
  }

  @Test
  void onlySchemasSeesGeneratedAvroClasses() {
    noClasses()
        .that()
        .resideOutsideOfPackage(Module.SCHEMAS.packages())
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(GENERATED, "org.apache.avro..")
        .check(CLASSES);
  }

  @Test
  void onlyTheEmbeddedBrokerSeesScalaAndKafkasServer() {
    noClasses()
        .that()
        .resideOutsideOfPackage(Module.BROKER.packages())
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            "scala..",
            "kafka..",
            "org.apache.kafka.server..",
            "org.apache.kafka.metadata..",
            "org.apache.kafka.raft..",
            "org.apache.kafka.storage..",
            "org.apache.kafka.controller..")
        .check(CLASSES);
  }

  @Test
  void theGatewayNeverTalksToKafka() {
    noClasses()
        .that()
        .resideInAPackage(Module.GATEWAY.packages())
        .should()
        .dependOnClassesThat()
        .resideInAPackage("org.apache.kafka..")
        .check(CLASSES);
  }

  @Test
  void packagesHaveNoCycles() {
    SlicesRuleDefinition.slices()
        .matching("dev.lasso.(**)")
        .should()
        .beFreeOfCycles()
        .check(CLASSES);
  }

  @Test
  void namesSayWhatAThingIs() {
    noClasses()
        .should()
        .haveSimpleNameEndingWith("Util")
        .orShould()
        .haveSimpleNameEndingWith("Utils")
        .orShould()
        .haveSimpleNameEndingWith("Helper")
        .orShould()
        .haveSimpleNameEndingWith("Manager")
        .orShould()
        .haveSimpleNameEndingWith("Impl")
        .orShould()
        .haveNameMatching(
            "dev\\.lasso\\.(.*\\.)?(util|utils|common|helper|helpers|manager|base)\\..*")
        .orShould()
        .haveNameMatching("dev\\.lasso\\..*\\.(Common|Base|Abstract)[A-Z][^.]*")
        .check(CLASSES);
  }

  @Test
  void onlyTheCommandWritesToStandardStreams() {
    noClasses()
        .that()
        .resideOutsideOfPackage(Module.LAUNCHER.packages())
        .should(ACCESS_STANDARD_STREAMS)
        .check(CLASSES);
  }

  @Test
  void logsThroughSlf4jAlone() {
    NO_CLASSES_SHOULD_USE_JAVA_UTIL_LOGGING.check(CLASSES);
    noClasses()
        .that()
        .resideOutsideOfPackage(Module.TESTKIT.packages())
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("ch.qos.logback..", "org.apache.logging..")
        .check(CLASSES);
    fields()
        .that()
        .haveRawType(Logger.class)
        .should()
        .bePrivate()
        .andShould()
        .beFinal()
        .check(CLASSES);
  }

  @Test
  void nothingSleeps() {
    noClasses().should().callMethod(Thread.class, "sleep", long.class).check(CLASSES);
    noClasses().should().callMethod(Thread.class, "sleep", java.time.Duration.class).check(CLASSES);
  }

  @Test
  void nothingMutableIsStatic() {
    fields()
        .that()
        .areStatic()
        .and()
        .areDeclaredInClassesThat()
        .resideOutsideOfPackage(GENERATED)
        .should()
        .beFinal()
        .check(CLASSES);
  }

  @Test
  void aFieldIsNeverPublic() {
    fields()
        .that()
        .areNotStatic()
        .and()
        .areDeclaredInClassesThat()
        .resideOutsideOfPackage(GENERATED)
        .should()
        .notBePublic()
        .check(CLASSES);
  }

  @Test
  void classesAreFinalUnlessTheyAreMeantToBeExtended() {
    classes()
        .that()
        .resideOutsideOfPackage(GENERATED)
        .and()
        .areNotInterfaces()
        .and()
        .areNotEnums()
        .and()
        .areNotAnonymousClasses()
        .should(beFinalOrAbstractOrExtended())
        .check(CLASSES);
  }

  @Test
  void everyPackageIsNullMarked() {
    assertThat(
            CLASSES.stream()
                .map(JavaClass::getPackage)
                .distinct()
                .filter(found -> !found.getName().startsWith("dev.lasso.schemas.avro"))
                .filter(found -> !found.isAnnotatedWith(NullMarked.class))
                .map(JavaPackage::getName))
        .isEmpty();
  }

  private static java.util.function.Predicate<JavaClass> in(Module module) {
    return JavaClass.Predicates.resideInAPackage(module.packages());
  }

  private static ArchCondition<JavaClass> beFinalOrAbstractOrExtended() {
    return new ArchCondition<>("be final, abstract or extended") {
      @Override
      public void check(JavaClass type, ConditionEvents events) {
        boolean fine =
            Stream.of(JavaModifier.FINAL, JavaModifier.ABSTRACT)
                    .anyMatch(type.getModifiers()::contains)
                || !type.getSubclasses().isEmpty();
        events.add(
            new SimpleConditionEvent(
                type, fine, type.getName() + " is open for extension, but nothing extends it"));
      }
    };
  }
}

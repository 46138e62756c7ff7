package dev.lasso.system.architecture;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** The modules as docs/architecture.md lists them: each one's package, and what it may see. */
enum Module {
  ROUTING("routing"),
  PROFILES("profiles", ROUTING),
  SCHEMAS("schemas", ROUTING),
  RUNTIME("runtime"),
  BROKER("broker"),
  SIMULATOR("simulator", ROUTING),
  ENGINE("engine", ROUTING, PROFILES, SCHEMAS, RUNTIME),
  GATEWAY("gateway", ROUTING, PROFILES, SCHEMAS, RUNTIME, ENGINE),
  HEALTH("health", ROUTING, PROFILES, SCHEMAS, RUNTIME, ENGINE),
  BLOCKSYNC("blocksync", ROUTING, PROFILES, SCHEMAS, RUNTIME, ENGINE),
  BENCHMARK("benchmark", ROUTING, PROFILES, SCHEMAS, RUNTIME, ENGINE),
  SUBSCRIPTION("subscription", ROUTING, PROFILES, SCHEMAS, RUNTIME, ENGINE),
  REPLAY("replay", ROUTING, SCHEMAS, ENGINE, RUNTIME),
  LAUNCHER(
      "launcher",
      ROUTING,
      PROFILES,
      SCHEMAS,
      RUNTIME,
      BROKER,
      SIMULATOR,
      ENGINE,
      GATEWAY,
      HEALTH,
      BLOCKSYNC,
      BENCHMARK,
      SUBSCRIPTION,
      REPLAY),
  TESTKIT("testkit", BROKER, SIMULATOR);

  private static final String ROOT = "dev.lasso.";

  private final String word;

  @SuppressWarnings("ImmutableEnumChecker") // List.of makes an immutable list
  private final List<Module> seen;

  Module(String word, Module... seen) {
    this.word = word;
    this.seen = List.of(seen);
  }

  /** Its package and all below, as ArchUnit writes that. */
  String packages() {
    return ROOT + word + "..";
  }

  /** The packages of the modules that it must not see. */
  String[] hidden() {
    Set<Module> hidden = EnumSet.complementOf(EnumSet.of(this));
    seen.forEach(hidden::remove);
    return hidden.stream().map(Module::packages).toArray(String[]::new);
  }

  /** The packages of every module but these. */
  static String[] allBut(Module... modules) {
    return Stream.of(values())
        .filter(module -> !Arrays.asList(modules).contains(module))
        .map(Module::packages)
        .toArray(String[]::new);
  }
}

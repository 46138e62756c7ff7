package dev.lasso.launcher.admin;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.PrintWriter;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/** What a command says: results to standard output, everything else to standard error. */
public final class Output {
  /** Exit code of a comparison that found differences. */
  public static final int DIFFERENT = 3;

  private static final ObjectMapper JSON =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

  private final PrintWriter out;
  private final PrintWriter err;

  /** To where the command writes. */
  public Output(CommandSpec spec) {
    out = spec.commandLine().getOut();
    err = spec.commandLine().getErr();
  }

  /** A line of the result. */
  public void line(String text) {
    out.println(text);
    out.flush();
  }

  /** A part of the result as it is. */
  public void text(String text) {
    out.print(text);
    out.flush();
  }

  /** A result of maps, lists, texts and numbers. */
  public void json(Object value) {
    try {
      line(JSON.writeValueAsString(value));
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("maps, lists, texts and numbers can always be written", e);
    }
  }

  /** As {@link #json} on one line. */
  void jsonLine(Object value) {
    try {
      line(JSON.writer().without(SerializationFeature.INDENT_OUTPUT).writeValueAsString(value));
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("maps, lists, texts and numbers can always be written", e);
    }
  }

  /** A line that is no result. */
  public void note(String text) {
    err.println(text);
    err.flush();
  }

  /** Says what went wrong and gives the exit code. */
  public int failed(List<String> problems) {
    problems.forEach(problem -> note("lasso: " + problem));
    return CommandLine.ExitCode.SOFTWARE;
  }
}

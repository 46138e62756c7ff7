package dev.lasso.routing.errors;

/**
 * What an upstream error was taken for, and why.
 *
 * @param errorClass the class, which says what follows
 * @param rule name of the rule that decided; a closed set except for providers' own rules
 */
public record Classification(ErrorClass errorClass, String rule) {}

/**
 * Profile files: YAML to validated domain values, every fault with line and path, the published
 * JSON Schema.
 */
@NullMarked
package dev.lasso.profiles;

import org.jspecify.annotations.NullMarked;

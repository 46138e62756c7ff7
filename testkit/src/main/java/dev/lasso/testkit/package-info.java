/** Manual clock, broker extension, assertions, client doubles. Test scope everywhere. */
@NullMarked
package dev.lasso.testkit;

import org.jspecify.annotations.NullMarked;

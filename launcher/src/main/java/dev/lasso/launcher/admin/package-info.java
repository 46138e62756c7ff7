/** Commands that look after what a fleet shares: profiles and topics. */
@NullMarked
package dev.lasso.launcher.admin;

import org.jspecify.annotations.NullMarked;

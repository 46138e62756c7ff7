/** The report: one page with plots and tables of a period, readable without network. */
@NullMarked
package dev.lasso.replay.report;

import org.jspecify.annotations.NullMarked;

/** Topics in Kafka against the catalogue: create, alter, check, list. */
@NullMarked
package dev.lasso.schemas.admin;

import org.jspecify.annotations.NullMarked;

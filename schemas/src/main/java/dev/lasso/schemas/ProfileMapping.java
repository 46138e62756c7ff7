package dev.lasso.schemas;

import dev.lasso.routing.ProfileSlug;
import dev.lasso.routing.profile.Profile;
import dev.lasso.schemas.avro.ProfileRecord;

/**
 * Value of topic {@code profiles}. Templates travel as written: {@code ${NAME}} references are
 * resolved by each process that reads the profile, from its own environment.
 */
final class ProfileMapping implements Mapping<Profile, ProfileRecord> {
  @Override
  public ProfileRecord toAvro(Profile value) {
    return ProfileRecord.newBuilder()
        .setSlug(value.slug().value())
        .setName(value.name())
        .setRpsLimit(value.rpsLimit())
        .setBurstLimit(value.burstLimit())
        .setChains(Wire.list(value.chains(), ChainProfileMapping::toAvro))
        .build();
  }

  @Override
  public Profile toDomain(ProfileRecord value) {
    return new Profile(
        ProfileSlug.of(value.getSlug()),
        value.getName(),
        value.getRpsLimit(),
        value.getBurstLimit(),
        Wire.list(value.getChains(), ChainProfileMapping::toDomain));
  }
}

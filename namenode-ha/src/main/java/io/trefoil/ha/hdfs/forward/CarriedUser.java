/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.hdfs.forward;

import com.google.auto.value.AutoValue;
import java.util.Optional;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.UserGroupInformation.AuthenticationMethod;

/**
 * Whose call it is, and how the NameNode that he is connected to found that out. Immutable.
 *
 * <p>Uses {@code UserGroupInformation.createRemoteUser}, {@code createProxyUser}, {@code getAuthenticationMethod}.
 */
@AutoValue
abstract class CarriedUser {

    static CarriedUser of(String name, String authentication, Optional<CarriedUser> real) {
        return new AutoValue_CarriedUser(name, authentication, real);
    }

    static CarriedUser of(UserGroupInformation user) {
        return of(
                user.getUserName(),
                user.getAuthenticationMethod().name(),
                Optional.ofNullable(user.getRealUser()).map(CarriedUser::of));
    }

    /** The whole name, with a realm if there is one: each NameNode makes a short one of it by itself. */
    abstract String name();

    /** By HDFS's name of it. Some calls are allowed only to who has shown more than a token. */
    abstract String authentication();

    /** On whose authority he calls, if that is not his own. */
    abstract Optional<CarriedUser> real();

    /** @throws IllegalArgumentException if HDFS knows no such kind of authentication */
    final UserGroupInformation user() {
        AuthenticationMethod method = AuthenticationMethod.valueOf(authentication());
        UserGroupInformation user = real().isPresent()
                ? UserGroupInformation.createProxyUser(name(), real().get().user())
                : UserGroupInformation.createRemoteUser(name());
        user.setAuthenticationMethod(method);
        return user;
    }
}

/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.hdfs.forward;

import com.google.auto.value.AutoValue;
import java.util.Optional;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.UserGroupInformation.AuthenticationMethod;

/**
 * The user who makes the call, and how the NameNode that received it authenticated the user. Immutable.
 *
 * <p>Uses {@code UserGroupInformation.createRemoteUser}, {@code createProxyUser}, {@code getAuthenticationMethod}.
 */
@AutoValue
abstract class SerializedUser {

    static SerializedUser of(String name, String authentication, Optional<SerializedUser> realUser) {
        return new AutoValue_SerializedUser(name, authentication, realUser);
    }

    static SerializedUser of(UserGroupInformation user) {
        return of(
                user.getUserName(),
                user.getAuthenticationMethod().name(),
                Optional.ofNullable(user.getRealUser()).map(SerializedUser::of));
    }

    /** The full name, including the realm if there is one: each NameNode derives the short name itself. */
    abstract String name();

    /** HDFS's name of the authentication method. Some calls are allowed only to users who presented more than a token. */
    abstract String authentication();

    /** The real user, if this one is impersonated. */
    abstract Optional<SerializedUser> realUser();

    /** @throws IllegalArgumentException if HDFS does not know the authentication method */
    final UserGroupInformation user() {
        AuthenticationMethod method = AuthenticationMethod.valueOf(authentication());
        UserGroupInformation user = realUser().isPresent()
                ? UserGroupInformation.createProxyUser(name(), realUser().get().user())
                : UserGroupInformation.createRemoteUser(name());
        user.setAuthenticationMethod(method);
        return user;
    }
}

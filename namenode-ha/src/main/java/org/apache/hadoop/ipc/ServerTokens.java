/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package org.apache.hadoop.ipc;

import java.lang.reflect.Field;
import org.apache.hadoop.security.token.SecretManager;
import org.apache.hadoop.security.token.TokenIdentifier;

/**
 * The secret manager by which an RPC server verifies tokens. Hadoop sets that once, when it makes the server, and has no way to
 * change it; this is the one place where we set a private field of Hadoop's.
 *
 * <p>Uses {@code Server.secretManager}.
 */
public final class ServerTokens {

    private ServerTokens() {}

    /**
     * Makes new connections use another secret manager.
     *
     * @throws LinkageError if this version of Hadoop has no such field
     */
    public static void useSecretManager(Server server, SecretManager<? extends TokenIdentifier> tokens) {
        try {
            Field field = Server.class.getDeclaredField("secretManager");
            field.setAccessible(true);
            field.set(server, tokens);
        } catch (ReflectiveOperationException e) {
            throw new LinkageError("This version of Hadoop keeps the secret manager of a server elsewhere", e);
        }
    }
}

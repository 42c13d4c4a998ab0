/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package org.apache.hadoop.security.token.delegation;

import java.io.IOException;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.ipc.StandbyException;
import org.apache.hadoop.security.token.SecretManager;

/**
 * Lets clients connect with delegation tokens to a NameNode that is not active. HDFS's own verdict is final at the active. A standby of
 * stock HDFS takes no token at all; this one does while it forwards calls, as the active is then to decide what the user may do. A token
 * that a follower does not know, or takes for expired, may have been issued or renewed a moment ago: its client is told
 * to ask another NameNode, never that the token is invalid, after which it would give up. Thread-safe. In Hadoop's package because
 * tokens and their passwords are visible only there.
 *
 * <p>Uses {@code AbstractDelegationTokenSecretManager.checkToken}, {@code createPassword}; {@code
 * DelegationTokenInformation.getPassword}; {@code SecretManager}; {@code StandbyException}.
 *
 * @param <T> the tokens
 */
public final class FollowerTokens<T extends AbstractDelegationTokenIdentifier> extends SecretManager<T> {
    private final AbstractDelegationTokenSecretManager<T> hdfs;
    private final BooleanSupplier active;
    private final BooleanSupplier forwards;

    /**
     * @param hdfs what HDFS knows and decides
     * @param active whether this NameNode is
     * @param forwards whether it would forward a call now
     */
    public FollowerTokens(
            AbstractDelegationTokenSecretManager<T> hdfs, BooleanSupplier active, BooleanSupplier forwards) {
        this.hdfs = hdfs;
        this.active = active;
        this.forwards = forwards;
    }

    @Override
    public byte[] retriableRetrievePassword(T token) throws IOException {
        // Asked first: one that becomes active meanwhile may have looked before it had applied everything.
        boolean follows = !active.getAsBoolean();
        try {
            return hdfs.retriableRetrievePassword(token);
        } catch (StandbyException refusal) {
            if (!forwards.getAsBoolean()) {
                throw refusal;
            }
            return findPassword(token);
        } catch (InvalidToken verdict) {
            throw follows ? standbyOrInvalid(verdict) : verdict;
        }
    }

    private byte[] findPassword(T token) throws StandbyException {
        try {
            return hdfs.checkToken(token).getPassword();
        } catch (InvalidToken verdict) {
            throw standbyOrInvalid(verdict);
        }
    }

    private static StandbyException standbyOrInvalid(InvalidToken verdict) {
        return new StandbyException(
                "This NameNode is not active, and may not know of the token yet: " + verdict.getMessage());
    }

    @Override
    public byte[] retrievePassword(T token) throws InvalidToken {
        return hdfs.retrievePassword(token);
    }

    @Override
    protected byte[] createPassword(T token) {
        return hdfs.createPassword(token);
    }

    @Override
    public T createIdentifier() {
        return hdfs.createIdentifier();
    }

    @Override
    public void checkAvailableForRead() throws StandbyException {
        hdfs.checkAvailableForRead();
    }
}

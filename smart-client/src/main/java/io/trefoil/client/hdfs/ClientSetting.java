/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.client.hdfs;

import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;

/**
 * All settings of the smart client; {@code docs/reference/client-settings.md} is generated from them. Each may carry
 * the suffix {@code .<nameservice>}, which takes precedence.
 *
 * <p>Uses {@code Configuration.getTimeDuration}, so that times are written as everywhere in {@code hdfs-site.xml}.
 */
public final class ClientSetting {

    /** The time that a call waits for an active NameNode; or for the newest version of a table of subtrees. */
    public static final ClientSetting TIMEOUT = time("trefoil.client.failover.timeout", "", "1s")
            .doc("How long a call looks for an active NameNode after its first failure, before it fails, and "
                    + "how long it waits for one that does not answer. The error then says what every "
                    + "NameNode answered. If not set: as long as a stock client would at most, by "
                    + "`dfs.client.failover.max.attempts` and `dfs.client.failover.sleep.*` (248 s "
                    + "unless they are changed), and longer while a NameNode does not answer. Only with the suffix "
                    + "of a federation, and there 10 s if not set: how long a call that was refused or found nothing waits for "
                    + "the newest version of the table of subtrees, or while its directory is about to be given away; then it "
                    + "gets the answer that it had.");

    static final ClientSetting SUSPECT_AFTER = time("trefoil.client.suspect-after", "500ms", "50ms")
            .doc("How long a call may go unanswered before the other NameNodes are asked as well. As soon as "
                    + "one of them is the active, the call is abandoned and sent to that one.");

    static final ClientSetting SITE = new ClientSetting(
                    "trefoil.client.site", "one word of letters, digits, hyphens and underscores", "", "", "")
            .doc("The site of this client, named as in `trefoil.ha.site`. Its reads go to observers at this "
                    + "site; if none of them answers, to the active if that is at this site, and "
                    + "otherwise to observers at other sites. If not set, all observers are alike.");

    private static final List<ClientSetting> ALL =
            Collections.unmodifiableList(Arrays.asList(TIMEOUT, SUSPECT_AFTER, SITE));

    private static final Map<String, String> REMOVED = Collections.unmodifiableMap(removedNames());

    private static Map<String, String> removedNames() {
        Map<String, String> removed = new HashMap<>();
        removed.put("trefoil.client.probe.timeout", "set dfs.client.failover.namenode.ha-state.probe.timeout");
        removed.put("trefoil.client.subtrees.refresh-interval", "set dfs.federation.router.cache.ttl");
        removed.put("trefoil.client.subtrees.check-timeout", "set trefoil.client.failover.timeout.<federation>");
        removed.put("trefoil.client.share-answers", "the file systems of a process share what NameNodes answer");
        removed.put("trefoil.client.view.refresh-interval", "all NameNodes are asked every ten minutes");
        removed.put("trefoil.client.observer.refresh-interval", "set dfs.client.failover.observer.probe.retry.period");
        return removed;
    }

    private final String name;
    private final String type;
    private final String defaultText;
    private final String minimum;
    private final String doc;

    private ClientSetting(String name, String type, String defaultText, String minimum, String doc) {
        this.name = name;
        this.type = type;
        this.defaultText = defaultText;
        this.minimum = minimum;
        this.doc = doc;
    }

    private static ClientSetting time(String name, String defaultText, String minimum) {
        return new ClientSetting(name, "time, as 500ms, 5s, at least " + minimum, defaultText, minimum, "");
    }

    private ClientSetting doc(String text) {
        return new ClientSetting(name, type, defaultText, minimum, text);
    }

    /** Returns all client settings, in the order of the reference page. */
    static List<ClientSetting> all() {
        return ALL;
    }

    /** The names of former settings, each with its replacement. */
    static Map<String, String> removed() {
        return REMOVED;
    }

    String name() {
        return name;
    }

    String type() {
        return type;
    }

    /** The default as text; empty if there is none. */
    String defaultText() {
        return defaultText;
    }

    String doc() {
        return doc;
    }

    /** The value as written, or the default. */
    String text(Configuration conf, String nameservice) {
        return conf.getTrimmed(name + "." + nameservice, conf.getTrimmed(name, defaultText));
    }

    /**
     * The configured time; empty if there is none.
     *
     * @throws IllegalArgumentException as {@link #time}
     */
    Optional<Duration> find(Configuration conf, String nameservice) {
        return text(conf, nameservice).isEmpty() ? Optional.<Duration>empty() : Optional.of(time(conf, nameservice));
    }

    /**
     * The time configured with this suffix; empty if there is none, whatever is configured without a suffix.
     *
     * @throws IllegalArgumentException as {@link #time}
     */
    public Optional<Duration> findWithSuffix(Configuration conf, String suffix) {
        boolean isSet = !conf.getTrimmed(name + "." + suffix, "").isEmpty();
        return isSet ? Optional.of(time(conf, suffix)) : Optional.<Duration>empty();
    }

    /**
     * The configured time, or the default.
     *
     * @throws IllegalArgumentException if it is not a time, or too short; the text names the property
     */
    public Duration time(Configuration conf, String nameservice) {
        String text = text(conf, nameservice);
        Duration value;
        try {
            value = parse(text);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    name + " is '" + text + "', which cannot be read as a time (500ms, 5s): " + e.getMessage(), e);
        }
        if (value.compareTo(parse(minimum)) < 0) {
            throw new IllegalArgumentException(name + " is " + text + ", it must be at least " + minimum);
        }
        return value;
    }

    /**
     * The value as a single word, or empty.
     *
     * @throws IllegalArgumentException if it is more than one; the text names the property
     */
    String identifier(Configuration conf, String nameservice) {
        String text = text(conf, nameservice);
        if (!text.matches("[A-Za-z0-9_-]{0,63}")) {
            throw new IllegalArgumentException(name + " is '" + text + "', it must be " + type);
        }
        return text;
    }

    private static Duration parse(String text) {
        Configuration scratch = new Configuration(false);
        scratch.set("time", text);
        return Duration.ofMillis(scratch.getTimeDuration("time", 0, TimeUnit.MILLISECONDS));
    }
}

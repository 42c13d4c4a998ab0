/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.client.hdfs;

import io.trefoil.client.GroupView;
import io.trefoil.client.SharedAnswers;
import io.trefoil.client.SharedAnswers.Question;
import io.trefoil.client.ViewCache;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.InetSocketAddress;
import java.net.URL;
import java.net.URLConnection;
import java.nio.charset.StandardCharsets;
import java.security.PrivilegedExceptionAction;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSUtilClient;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.hdfs.web.URLConnectionFactory;
import org.apache.hadoop.security.UserGroupInformation;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Learns who belongs to the group from what the NameNodes publish on {@code /jmx}, in the background: no call waits for it, and
 * no call fails if there is no such page. What one client of a process reads is for all that would read the same.
 *
 * <p>Uses {@code DFSUtilClient.getNameNodeIds}, {@code URLConnectionFactory}, which brings SPNEGO and the client's TLS
 * settings, {@code UserGroupInformation.doAs}.
 */
final class ViewReader<T> {
    private static final Logger LOG = LoggerFactory.getLogger(ViewReader.class);
    private static final String PAGE = "/jmx?qry=Hadoop:service=NameNode,name=TrefoilGroup";
    private static final int TIMEOUT_MILLIS = 2_000;
    private static final int LARGEST = 1 << 20;
    /** When nobody is active, the view is not read more often. */
    private static final long SOONEST_NANOS = TimeUnit.SECONDS.toNanos(1);
    /** A reading that is due is not needed if there was one within this part of the period. */
    private static final int FRESH_FRACTION = 10;

    private final Configuration conf;
    private final String nameservice;
    private final UserGroupInformation ugi;
    private final List<NameNodeMember<T, ClientProtocol>> members;
    private final Consumer<GroupView> learn;
    private final Executor threads;
    private final SharedAnswers<Optional<String>> readings;
    private final Object source;
    private final Optional<ViewCache> cache;
    private final long periodNanos;
    private final boolean https;
    private final AtomicLong dueAt;
    private volatile String taken = "";

    /**
     * @param readings shared with all clients whose readings are to count for this one, too
     * @param source equal for all clients that read the same pages, and would believe what each other read
     */
    ViewReader(
            Configuration conf,
            String nameservice,
            UserGroupInformation ugi,
            List<NameNodeMember<T, ClientProtocol>> members,
            Consumer<GroupView> learn,
            Executor threads,
            SharedAnswers<Optional<String>> readings,
            Object source) {
        this.conf = conf;
        this.nameservice = nameservice;
        this.ugi = ugi;
        this.members = members;
        this.learn = learn;
        this.threads = threads;
        this.readings = readings;
        this.periodNanos = ClientSetting.VIEW_REFRESH.time(conf, nameservice).toNanos();
        this.https = "HTTPS_ONLY".equals(conf.get("dfs.http.policy"));
        String directory = ClientSetting.CACHE_DIR.text(conf, nameservice);
        // Who keeps the view keeps what it has read itself.
        this.source = Arrays.asList(source, directory.isEmpty() ? "" : ugi.getShortUserName() + " in " + directory);
        this.cache = directory.isEmpty()
                ? Optional.<ViewCache>empty()
                : Optional.of(new ViewCache(directory, nameservice, ugi.getShortUserName()));
        this.dueAt =
                new AtomicLong(System.nanoTime() + ThreadLocalRandom.current().nextLong(periodNanos / 10, periodNanos));
    }

    /** Where the web pages of a configured NameNode are. */
    String httpOf(InetSocketAddress rpc) {
        String key = https ? "dfs.namenode.https-address" : "dfs.namenode.http-address";
        for (String nameNode : DFSUtilClient.getNameNodeIds(conf, nameservice)) {
            String suffix = "." + nameservice + "." + nameNode;
            String its = conf.getTrimmed("dfs.namenode.rpc-address" + suffix, "");
            if (its.equals(rpc.getHostString() + ":" + rpc.getPort())) {
                return reachable(conf.getTrimmed(key + suffix, anyHost()), rpc);
            }
        }
        return reachable(anyHost(), rpc);
    }

    private String anyHost() {
        return https ? "0.0.0.0:9871" : "0.0.0.0:9870";
    }

    /** A server that listens on all addresses is reached by the one at which it takes calls. */
    static String reachable(String http, InetSocketAddress rpc) {
        return http.startsWith("0.0.0.0:") ? rpc.getHostString() + http.substring("0.0.0.0".length()) : http;
    }

    /** Takes in what an earlier process kept. */
    void readCache() {
        try {
            Optional<GroupView> kept = cache.isPresent() ? cache.get().load() : Optional.<GroupView>empty();
            kept.filter(view -> view.nameservice().equals(nameservice)).ifPresent(learn);
            if (cache.isPresent() && !kept.isPresent()) {
                dueAt.set(System.nanoTime());
            }
        } catch (IOException | IllegalArgumentException e) {
            LOG.warn("The view of {} that was kept is of no use; it will be replaced", nameservice, e);
            dueAt.set(System.nanoTime());
        }
    }

    /** Called after each call, so it costs next to nothing. */
    void readIfDue() {
        long due = dueAt.get();
        if (System.nanoTime() - due >= 0 && dueAt.compareAndSet(due, System.nanoTime() + periodNanos)) {
            readUnless(periodNanos / FRESH_FRACTION);
        }
    }

    /** Nobody of those that are known is active: perhaps somebody else is. */
    void readNow() {
        readUnless(SOONEST_NANOS);
    }

    /** Takes what was read so shortly ago, by anybody; reads in the background if there is nothing. */
    private void readUnless(long nanosAgo) {
        Question<Optional<String>> mine = new Question<>();
        Question<Optional<String>> last = readings.joinOr(mine, source, System.nanoTime() - nanosAgo);
        if (last == mine) {
            try {
                threads.execute(() -> read(mine));
            } catch (RejectedExecutionException closed) {
                LOG.debug("The client is closed; its view is not read any more");
                mine.answered(Optional.empty());
            }
        }
        last.whenAnswered(() -> last.answer().ifPresent(this::take));
    }

    private void read(Question<Optional<String>> question) {
        Optional<String> document = Optional.empty();
        try {
            document = read();
        } finally {
            question.answered(document);
        }
    }

    private Optional<String> read() {
        // Not all clients the same one.
        List<NameNodeMember<T, ClientProtocol>> order = new ArrayList<>(members);
        Collections.shuffle(order);
        for (NameNodeMember<T, ClientProtocol> member : order) {
            try {
                String document = GroupView.documentIn(page(member));
                if (GroupView.read(document).nameservice().equals(nameservice)) {
                    keep(document);
                    return Optional.of(document);
                }
            } catch (IOException | RuntimeException e) {
                LOG.debug("No view from {}", member, e);
            } catch (InterruptedException closed) {
                return Optional.empty();
            }
        }
        return Optional.empty();
    }

    private void take(String document) {
        if (!document.equals(taken)) {
            taken = document;
            learn.accept(GroupView.read(document));
        }
    }

    private void keep(String document) {
        if (cache.isPresent()) {
            try {
                cache.get().save(document);
            } catch (IOException e) {
                LOG.warn("The view of {} cannot be kept for the next process", nameservice, e);
            }
        }
    }

    private String page(NameNodeMember<T, ClientProtocol> member) throws IOException, InterruptedException {
        URL url = new URL((https ? "https://" : "http://") + member.http() + PAGE);
        return ugi.doAs((PrivilegedExceptionAction<String>) () -> {
            URLConnectionFactory factory =
                    URLConnectionFactory.newDefaultURLConnectionFactory(TIMEOUT_MILLIS, TIMEOUT_MILLIS, conf);
            try {
                URLConnection connection = factory.openConnection(url, UserGroupInformation.isSecurityEnabled());
                connection.setConnectTimeout(TIMEOUT_MILLIS);
                connection.setReadTimeout(TIMEOUT_MILLIS);
                try (InputStream page = connection.getInputStream()) {
                    return text(page);
                } finally {
                    ((HttpURLConnection) connection).disconnect();
                }
            } finally {
                factory.destroy();
            }
        });
    }

    private static String text(InputStream page) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        byte[] part = new byte[8192];
        for (int read = page.read(part); read >= 0; read = page.read(part)) {
            bytes.write(part, 0, read);
            if (bytes.size() > LARGEST) {
                throw new IOException("the page is too large to be a view");
            }
        }
        return new String(bytes.toByteArray(), StandardCharsets.UTF_8);
    }
}

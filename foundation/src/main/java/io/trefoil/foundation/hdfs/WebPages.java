/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.foundation.hdfs;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.InetSocketAddress;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DFSUtil;
import org.apache.hadoop.hdfs.web.URLConnectionFactory;
import org.apache.hadoop.io.IOUtils;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.security.SecurityUtil;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.authentication.client.AuthenticationException;

/**
 * Reads web pages of configured NameNodes like Hadoop's own clients: over HTTP or HTTPS, with Kerberos where
 * it is used. Thread-safe.
 *
 * <p>Uses {@code DFSUtil.getHttpPolicy}, {@code URLConnectionFactory}, {@code UserGroupInformation.isSecurityEnabled}, {@code getCurrentUser},
 * {@code SecurityUtil.doAsCurrentUser}, {@code NetUtils.getHostPortString}, {@code createSocketAddr}, {@code IOUtils.copyBytes}.
 */
public final class WebPages {
    private static final int BUFFER_BYTES = 8192;

    private final Configuration conf;

    public WebPages(Configuration conf) {
        this.conf = conf;
    }

    private boolean isHttp() {
        return DFSUtil.getHttpPolicy(conf).isHttpEnabled();
    }

    /**
     * The web addresses as {@code host:port}, by nameservice, then by NameNode, in the order of the configuration. A NameNode for which
     * none is set has its page where its calls go, at HDFS's own port.
     */
    public Map<String, Map<String, String>> addresses() {
        Map<String, Map<String, InetSocketAddress>> configured = NameNodeAddresses.addresses(
                conf,
                isHttp() ? DFSConfigKeys.DFS_NAMENODE_HTTP_ADDRESS_KEY : DFSConfigKeys.DFS_NAMENODE_HTTPS_ADDRESS_KEY);
        int port = defaultPort();
        Map<String, Map<String, String>> addresses = new LinkedHashMap<>();
        NameNodeAddresses.rpcAddresses(conf).forEach((nameservice, nameNodes) -> {
            Map<String, String> own = new LinkedHashMap<>();
            nameNodes.forEach((name, address) -> own.put(name, address.getHostString() + ":" + port));
            addresses.put(nameservice, own);
        });
        configured.forEach((nameservice, nameNodes) -> {
            Map<String, String> own = addresses.computeIfAbsent(nameservice, first -> new LinkedHashMap<>());
            nameNodes.forEach((name, address) -> own.put(name, NetUtils.getHostPortString(address)));
        });
        return addresses;
    }

    private int defaultPort() {
        String usual = isHttp()
                ? conf.getTrimmed(
                        DFSConfigKeys.DFS_NAMENODE_HTTP_ADDRESS_KEY, DFSConfigKeys.DFS_NAMENODE_HTTP_ADDRESS_DEFAULT)
                : conf.getTrimmed(
                        DFSConfigKeys.DFS_NAMENODE_HTTPS_ADDRESS_KEY, DFSConfigKeys.DFS_NAMENODE_HTTPS_ADDRESS_DEFAULT);
        return NetUtils.createSocketAddr(usual).getPort();
    }

    /**
     * Reads a page, as the current user.
     *
     * @param webAddress {@code host:port}
     * @param path with its query, such as {@code /jmx?qry=…}
     * @param timeout the timeout of the connection, and again of each read
     * @throws IOException if the NameNode does not answer in time, or answers something else; the text says what
     */
    public String read(String webAddress, String path, Duration timeout) throws IOException {
        // A server's thread uses the server's login only if told to; otherwise it would look only into a ticket cache.
        return SecurityUtil.doAsCurrentUser(() -> readAsUser(webAddress, path, timeout));
    }

    private String readAsUser(String webAddress, String path, Duration timeout) throws IOException {
        URL url = new URL((isHttp() ? "http" : "https") + "://" + webAddress + path);
        int millis = (int) timeout.toMillis();
        URLConnectionFactory factory = URLConnectionFactory.newDefaultURLConnectionFactory(millis, millis, conf);
        HttpURLConnection connection = null;
        try {
            connection = (HttpURLConnection) factory.openConnection(url, UserGroupInformation.isSecurityEnabled());
            if (connection.getResponseCode() == HttpURLConnection.HTTP_FORBIDDEN) {
                throw new IOException("access denied: "
                        + UserGroupInformation.getCurrentUser().getUserName() + " may not read "
                        + webAddress + url.getPath() + " (HTTP " + HttpURLConnection.HTTP_FORBIDDEN + ", "
                        + connection.getResponseMessage() + ")");
            }
            try (InputStream in = connection.getInputStream()) {
                ByteArrayOutputStream page = new ByteArrayOutputStream();
                IOUtils.copyBytes(in, page, BUFFER_BYTES);
                return new String(page.toByteArray(), StandardCharsets.UTF_8);
            }
        } catch (AuthenticationException e) {
            throw new IOException("access denied: " + e.getMessage(), e);
        } finally {
            if (connection != null) {
                connection.disconnect();
            }
            factory.destroy();
        }
    }
}

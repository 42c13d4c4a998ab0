/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.hdfs;

import io.trefoil.tools.cluster.NameNodeGroup;
import io.trefoil.tools.cluster.NameNodes;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.InetSocketAddress;
import java.net.URL;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSUtil;
import org.apache.hadoop.hdfs.DFSUtilClient;
import org.apache.hadoop.hdfs.web.URLConnectionFactory;
import org.apache.hadoop.hdfs.web.WebHdfsConstants;
import org.apache.hadoop.io.IOUtils;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.authentication.client.AuthenticationException;

/**
 * The NameNodes of the configuration's nameservices, asked through their web pages, which an operator's host can
 * usually reach through the firewall.
 *
 * <p>Uses {@code DFSUtil.getHttpPolicy}, {@code DFSUtilClient.getHaNnWebHdfsAddresses}, {@code WebHdfsConstants},
 * {@code URLConnectionFactory}, {@code UserGroupInformation.isSecurityEnabled}, {@code NetUtils.getHostPortString},
 * {@code IOUtils.copyBytes}.
 */
final class ConfiguredNameNodes implements NameNodes {

    private static final int BUFFER_BYTES = 8192;

    private final Configuration conf;

    ConfiguredNameNodes(Configuration conf) {
        this.conf = conf;
    }

    private boolean isHttp() {
        return DFSUtil.getHttpPolicy(conf).isHttpEnabled();
    }

    @Override
    public NameNodeGroup find(Optional<String> wanted) {
        // The file system's scheme chooses between the addresses for http and for https.
        Map<String, Map<String, InetSocketAddress>> configured = DFSUtilClient.getHaNnWebHdfsAddresses(
                conf, isHttp() ? WebHdfsConstants.WEBHDFS_SCHEME : WebHdfsConstants.SWEBHDFS_SCHEME);
        List<NameNodeGroup> fitting = new ArrayList<>();
        configured.forEach((nameservice, nameNodes) -> {
            boolean isGroup = nameNodes.size() > 1;
            if (isGroup && (!wanted.isPresent() || wanted.get().equals(nameservice))) {
                Map<String, String> addresses = new LinkedHashMap<>();
                nameNodes.forEach((name, address) -> addresses.put(name, NetUtils.getHostPortString(address)));
                fitting.add(NameNodeGroup.of(nameservice, addresses));
            }
        });
        if (fitting.size() == 1) {
            return fitting.get(0);
        }
        throw new IllegalArgumentException("Wanted "
                + wanted.map(name -> "a nameservice '" + name + "'").orElse("one nameservice")
                + " with several NameNodes in dfs.nameservices and dfs.ha.namenodes.* of the configuration, found "
                + (configured.isEmpty() ? "none" : configured.keySet()) + "; name it with --nameservice");
    }

    @Override
    public String jmx(String webAddress, String bean, Duration patience) throws IOException {
        URL url = new URL((isHttp() ? "http" : "https") + "://" + webAddress + "/jmx?qry="
                + URLEncoder.encode(bean, StandardCharsets.UTF_8.name()));
        int millis = (int) patience.toMillis();
        URLConnectionFactory factory = URLConnectionFactory.newDefaultURLConnectionFactory(millis, millis, conf);
        HttpURLConnection connection = null;
        try {
            connection = (HttpURLConnection) factory.openConnection(url, UserGroupInformation.isSecurityEnabled());
            try (InputStream in = connection.getInputStream()) {
                ByteArrayOutputStream page = new ByteArrayOutputStream();
                IOUtils.copyBytes(in, page, BUFFER_BYTES);
                return new String(page.toByteArray(), StandardCharsets.UTF_8);
            }
        } catch (AuthenticationException e) {
            throw new IOException("not let in: " + e.getMessage(), e);
        } finally {
            if (connection != null) {
                connection.disconnect();
            }
            factory.destroy();
        }
    }
}

import { versions } from "../../versions";
import type { Part } from "../part";
import { goPart } from "./go-part";

/** Serves the metrics API, if the cluster has it. Always built: its releases publish no checksums. */
export const metricsServer = goPart("metrics-server", versions.metricsServer, {
    module: "sigs.k8s.io/metrics-server",
    homepage: "https://github.com/kubernetes-sigs/metrics-server",
    binaries: { "metrics-server": "sigs.k8s.io/metrics-server/cmd/metrics-server" },
    ldflags: [`-X k8s.io/client-go/pkg/version.gitVersion=v${versions.metricsServer}`],
});

const [major, minor = "", patch] = versions.prometheus.split(".");
const released = `prometheus-${versions.prometheus}.linux-{arch}`;
const releases = `https://github.com/prometheus/prometheus/releases/download/v${versions.prometheus}`;

/** Prometheus, if the cluster has it. A build of its module has no web interface, only its API and console templates. */
export const prometheus: Part = {
    name: "prometheus",
    version: versions.prometheus,
    licence: "Apache-2.0",
    homepage: "https://github.com/prometheus/prometheus",
    go: {
        folder: "prometheus",
        module: `github.com/prometheus/prometheus@v0.${major}${minor.padStart(2, "0")}.${patch}`,
        binaries: { prometheus: "github.com/prometheus/prometheus/cmd/prometheus" },
        // Of the ways to find targets, only that in a cluster: the others have a hundred clouds' libraries.
        tags: ["remove_all_sd", "enable_kubernetes_sd"],
        ldflags: [`-X github.com/prometheus/common/version.Version=${versions.prometheus}`],
    },
    official: {
        kind: "archive",
        url: `${releases}/${released}.tar.gz`,
        checksum: `${releases}/sha256sums.txt`,
        folder: released,
    },
};

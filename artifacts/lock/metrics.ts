import { versions } from "../../versions";
import type { Part } from "../part";

/** Serves the metrics API, if the cluster has it. Always built: its releases publish no checksums. */
export const metricsServer: Part = {
    name: "metrics-server",
    version: versions.metricsServer,
    licence: "Apache-2.0",
    homepage: "https://github.com/kubernetes-sigs/metrics-server",
    go: {
        folder: "metrics-server",
        module: `sigs.k8s.io/metrics-server@v${versions.metricsServer}`,
        binaries: { "metrics-server": "sigs.k8s.io/metrics-server/cmd/metrics-server" },
        ldflags: [`-X k8s.io/client-go/pkg/version.gitVersion=v${versions.metricsServer}`],
    },
};

import { versions } from "../../versions";
import { goPart } from "./go-part";

/** Serves the metrics API, if the cluster has it. Always built: its releases publish no checksums. */
export const metricsServer = goPart("metrics-server", versions.metricsServer, {
    module: "sigs.k8s.io/metrics-server",
    homepage: "https://github.com/kubernetes-sigs/metrics-server",
    binaries: { "metrics-server": "sigs.k8s.io/metrics-server/cmd/metrics-server" },
    ldflags: [`-X k8s.io/client-go/pkg/version.gitVersion=v${versions.metricsServer}`],
});

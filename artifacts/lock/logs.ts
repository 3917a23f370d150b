import { versions } from "../../versions";
import { goPart } from "./go-part";

const contrib = "github.com/open-telemetry/opentelemetry-collector-contrib";

/**
 * The OpenTelemetry Collector, if the cluster sends logs. Always built: with what log-collector uses only, in place of
 * all that the published image has.
 */
export const logCollector = goPart("log-collector", versions.logCollector, {
    module: `${contrib}/receiver/filelogreceiver`,
    homepage: `https://${contrib}`,
    binaries: { "otelcol-contrib": "tradewind/log-collector" },
    sources: ["main.go"],
    ldflags: [`-X main.version=${versions.logCollector}`],
});

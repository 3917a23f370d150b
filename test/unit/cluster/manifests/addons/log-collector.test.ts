import assert from "node:assert/strict";
import { logCollector } from "../../../../../cluster/manifests/addons/log-collector";
import type { ClusterOptions, LogHeaders } from "../../../../../cluster/options";
import { fixedCluster, podSpecOf } from "../../../components/in-cluster/fixture";
import { golden } from "../../../golden";

const otlp = { protocol: "otlp", url: "https://loki.example/otlp/" };
const manifests = (options: Partial<ClusterOptions>, headers?: LogHeaders) => {
    const [secret, daemonSet] = logCollector(fixedCluster({ logs: otlp, ...options }), headers);
    const data = (secret as unknown as { data: Record<string, string> }).data["config.json"]!;
    return { secret: secret!, daemonSet: daemonSet!, config: JSON.parse(Buffer.from(data, "base64").toString()) };
};

describe("the log collector", () => {
    it("is as reviewed", () => {
        const { daemonSet, config } = manifests({});
        golden(__dirname, "log-collector", { daemonSet, config });
    });

    it("is as reviewed for syslog", () => {
        const { config } = manifests({ logs: { protocol: "syslog", url: "tls://[fd00::1]:6514" } });
        golden(__dirname, "log-collector-syslog", config);
    });

    it("reads the audit log only if that is sent", () => {
        const paths = (audit: boolean) => {
            const { daemonSet, config } = manifests({ logs: { ...otlp, audit } });
            const volumes = podSpecOf(daemonSet)!.volumes as unknown as { name: string }[];
            return { volumes: volumes.map(({ name }) => name), receivers: Object.keys(config.receivers) };
        };
        const pods = { volumes: ["config", "pod-logs", "state"], receivers: ["filelog/pods"] };
        assert.deepEqual(paths(false), pods);
        assert.deepEqual(paths(true), {
            volumes: ["config", "pod-logs", "audit-log", "state"],
            receivers: ["filelog/pods", "filelog/audit"],
        });
    });

    it("sends headers as they are, which only its Secret has, and restarts for others", () => {
        const hash = (headers: LogHeaders) => {
            const { daemonSet, config } = manifests({}, headers);
            assert.ok(!JSON.stringify(daemonSet).includes("hidden"));
            return [config.exporters.otlp_http.headers, JSON.stringify(daemonSet.spec)] as const;
        };
        const [sent, one] = hash({ A: "hidden ${x}" });
        // The collector reads $$ as $.
        assert.deepEqual(sent, { A: "hidden $${x}" });
        assert.notEqual(one, hash({ A: "hidden" })[1]);
    });

    it("uses the cluster's proxy", () => {
        const proxy = { httpsProxy: "http://proxy.example:3128" };
        assert.match(
            JSON.stringify(manifests({ proxy }).daemonSet),
            /"HTTPS_PROXY","value":"http:\/\/proxy\.example:3128"/,
        );
    });

    it("is not waited for before a CNI that users install", () => {
        const annotations = (cni: string) =>
            manifests({ network: { cni } }).daemonSet.metadata.annotations?.["pulumi.com/skipAwait"];
        assert.deepEqual([annotations("none"), annotations("flannel")], ["true", undefined]);
    });
});

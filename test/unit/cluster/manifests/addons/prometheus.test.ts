import assert from "node:assert/strict";
import { prometheus, prometheusConfig } from "../../../../../cluster/manifests/addons/prometheus";
import type { ClusterOptions, PrometheusOptions } from "../../../../../cluster/options";
import { fixedCluster, podSpecOf } from "../../../components/in-cluster/fixture";
import { golden } from "../../../golden";

const clusterWith = (options: PrometheusOptions = {}, others: Partial<ClusterOptions> = {}) =>
    fixedCluster({ prometheus: options, ...others });
const deploymentOf = (...given: Parameters<typeof clusterWith>) =>
    prometheus(clusterWith(...given)).find(({ kind }) => kind === "Deployment")!;

describe("Prometheus", () => {
    it("is as reviewed", () => {
        const alertmanagers = ["http://alertmanager.monitoring.svc:9093", "https://alerts.example/team/"];
        const manifests = prometheus(clusterWith({ alertmanagers }));
        const settings = manifests.find(({ kind }) => kind === "ConfigMap");
        const others = manifests.filter((each) => each !== settings);
        const { "prometheus.json": config, ...files } = settings!.data as Record<string, string>;
        assert.deepEqual(Object.keys(files), ["rules.json", "index.html"]);
        const named = JSON.stringify(others).replaceAll(settings!.metadata.name, "prometheus-<hash>");
        golden(__dirname, "prometheus", { config: JSON.parse(config!), others: JSON.parse(named) });
    });

    it("runs without privileges, and takes requests from its own pod only", () => {
        const { containers, securityContext, hostNetwork } = podSpecOf(deploymentOf())! as never as {
            containers: { command: string[]; ports?: object; securityContext: object }[];
            securityContext: object;
            hostNetwork?: boolean;
        };
        const [{ command, ports, securityContext: confined } = containers[0]!] = containers;
        assert.ok(command.includes("--web.listen-address=127.0.0.1:9090"), command.join(" "));
        assert.deepEqual([ports, hostNetwork], [undefined, undefined]);
        assert.deepEqual(confined, {
            allowPrivilegeEscalation: false,
            readOnlyRootFilesystem: true,
            capabilities: { drop: ["ALL"] },
        });
        assert.equal((securityContext as { runAsNonRoot: boolean }).runAsNonRoot, true);
    });

    it("keeps samples on a volume of its storage class, of which they fill three quarters at most", () => {
        const options = { storageClass: "local", storageSize: 4, retention: "2d" };
        const claim = prometheus(clusterWith(options)).find(({ kind }) => kind === "PersistentVolumeClaim");
        assert.deepEqual(claim?.spec, {
            accessModes: ["ReadWriteOnce"],
            storageClassName: "local",
            resources: { requests: { storage: "4Gi" } },
        });
        const { volumes } = podSpecOf(deploymentOf(options))! as never as { volumes: object[] };
        assert.deepEqual(volumes[1], { name: "data", persistentVolumeClaim: { claimName: "prometheus" } });
        assert.deepEqual(prometheusConfig(clusterWith(options)).storage.tsdb.retention, {
            time: "172800s",
            size: "3072MB",
        });
    });

    it("verifies kubelets if their certificates are of the cluster's CA", () => {
        const kubelets = (kubeletServing: string) =>
            prometheusConfig(clusterWith({}, { certificates: { kubeletServing } })).scrape_configs.find(
                ({ job_name }) => job_name === "kubelet",
            )?.tls_config;
        assert.deepEqual(kubelets("own"), { insecure_skip_verify: true });
        const verified = { ca_file: "/var/run/secrets/kubernetes.io/serviceaccount/ca.crt" };
        assert.deepEqual([kubelets("issued"), kubelets("verified")], [verified, verified]);
    });

    it("reaches Alertmanagers by the cluster's proxy", () => {
        const proxy = { httpsProxy: "http://proxy.example:3128" };
        assert.match(
            JSON.stringify(deploymentOf({}, { proxy })),
            /"HTTPS_PROXY","value":"http:\/\/proxy\.example:3128"/,
        );
        assert.ok(!JSON.stringify(deploymentOf()).includes("PROXY"));
    });

    it("is not waited for before a CNI that users install", () => {
        const annotations = (cni: string) =>
            deploymentOf({}, { network: { cni } }).metadata.annotations?.["pulumi.com/skipAwait"];
        assert.deepEqual([annotations("none"), annotations("flannel")], ["true", undefined]);
    });
});

import assert from "node:assert/strict";
import { images } from "../../../versions/images";
import { itLong } from "../../takes-long";
import { eventually } from "../cluster";
import { shared, sharedCluster } from "../shared";

const api = "apiservice/v1beta1.metrics.k8s.io";
const nodes = ["controller-0", "default-0", "default-1"].map((name) => `${shared.name}-${name}`);

/** A pod that uses more CPU than it requests, and an autoscaler for it. */
const busy = {
    apiVersion: "v1",
    kind: "List",
    items: [
        {
            apiVersion: "apps/v1",
            kind: "Deployment",
            metadata: { name: "busy" },
            spec: {
                selector: { matchLabels: { app: "busy" } },
                template: {
                    metadata: { labels: { app: "busy" } },
                    spec: {
                        terminationGracePeriodSeconds: 0,
                        containers: [
                            {
                                name: "busy",
                                image: images.busybox,
                                command: ["sh", "-c", "while :; do :; done"],
                                resources: { requests: { cpu: "20m" }, limits: { cpu: "60m" } },
                            },
                        ],
                    },
                },
            },
        },
        {
            apiVersion: "autoscaling/v2",
            kind: "HorizontalPodAutoscaler",
            metadata: { name: "busy" },
            spec: {
                scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "busy" },
                maxReplicas: 2,
                metrics: [
                    {
                        type: "Resource",
                        resource: { name: "cpu", target: { type: "Utilization", averageUtilization: 50 } },
                    },
                ],
            },
        },
    ],
};

const up = () => shared.pulumi("up", "--yes", "--skip-preview");
const objects = () =>
    shared.kubectl(
        ...["get", "all,secrets,serviceaccounts,rolebindings,clusterroles,clusterrolebindings,apiservices"],
        ...["--all-namespaces", "-o", "name"],
    );

describe("metrics-server", function () {
    this.timeout(600_000);

    before(() => sharedCluster());
    after(async () => {
        await shared.kubectl("delete", "--ignore-not-found", "deployment/busy", "hpa/busy", "rolebinding/viewer");
        await shared.pulumi("config", "rm", "tradewind:metricsServer").catch(() => {});
    });

    itLong("serves CPU and memory of every node and of pods, once it is turned on", async () => {
        await shared.pulumi("config", "set", "tradewind:metricsServer", "true");
        await up();
        await shared.kubectl("wait", "--for=condition=Available", api, "--timeout=60s");
        await eventually("metrics of every node", async () => {
            const top = await shared.kubectl("top", "nodes", "--no-headers");
            for (const node of nodes) assert.match(top, new RegExp(`^${node} +\\d+m +\\d+% +\\d+Mi +\\d+%`, "m"));
        });
        const pods = await shared.kubectl("top", "pods", "-n", "kube-system", "--no-headers");
        for (const name of ["kube-apiserver", "coredns", "metrics-server"]) {
            assert.match(pods, new RegExp(`^${name}-\\S+ +\\d+m +\\d+Mi`, "m"));
        }
    });

    itLong("verifies kubelets, and is verified by kube-apiserver", async () => {
        const { spec } = await shared.get<{ spec: { insecureSkipTLSVerify?: boolean; caBundle: string } }>(api);
        assert.equal(spec.insecureSkipTLSVerify, undefined);
        assert.match(Buffer.from(spec.caBundle, "base64").toString(), /^-----BEGIN CERTIFICATE-----/);
        const pod = await shared.kubectl(
            "get",
            "pods",
            "-n",
            "kube-system",
            "-l",
            "k8s-app=metrics-server",
            "-o",
            "yaml",
        );
        assert.match(pod, /--kubelet-certificate-authority=/);
        assert.doesNotMatch(pod, /--kubelet-insecure-tls/);
    });

    itLong("shows only its pods to those who may view a namespace", async () => {
        await shared.kubectl(
            "create",
            "rolebinding",
            "viewer",
            "--clusterrole=view",
            "--serviceaccount=default:viewer",
        );
        const read = (path: string) =>
            shared.kubectl(
                "get",
                "--raw",
                `/apis/metrics.k8s.io/v1beta1/${path}`,
                "--as=system:serviceaccount:default:viewer",
            );
        await eventually("the role view with metrics of pods", async () => {
            assert.match(await read("namespaces/default/pods"), /PodMetricsList/);
        });
        for (const other of ["namespaces/kube-system/pods", "nodes"]) {
            await assert.rejects(read(other), /Forbidden|forbidden/);
        }
    });

    itLong("has an autoscaler add a pod to a Deployment that is too busy", async () => {
        await shared.apply(busy);
        await eventually(
            "a second pod",
            async () => {
                const { status } = await shared.get<{ status: { desiredReplicas?: number } }>("hpa/busy");
                assert.equal(status.desiredReplicas, 2, JSON.stringify(status));
                await shared.kubectl("wait", "--for=jsonpath={.status.replicas}=2", "deployment/busy", "--timeout=5s");
            },
            180,
        );
    });

    itLong("leaves nothing when it is turned off", async () => {
        assert.match(await objects(), /metrics-server/);
        await shared.pulumi("config", "rm", "tradewind:metricsServer");
        await up();
        assert.doesNotMatch(await objects(), /metrics-server|metrics\.k8s\.io/);
        await assert.rejects(shared.kubectl("top", "nodes"), /Metrics API not available/);
        // An API without a server would keep namespaces from being deleted.
        await shared.kubectl("create", "namespace", "short");
        await shared.kubectl("delete", "namespace", "short", "--timeout=60s");
        await shared.pulumi("preview", "--expect-no-changes");
    });
});

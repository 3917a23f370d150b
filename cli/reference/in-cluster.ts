import { addons } from "../../components/addons";
import { autoscalerFlags } from "../../components/addons/autoscaler-options";
import { awsCloudController } from "../../components/addons/aws-cloud-controller";
import { awsCsiDriver } from "../../components/addons/aws-csi-driver";
import { clusterAutoscaler } from "../../components/addons/cluster-autoscaler";
import { digitalOceanCloudController } from "../../components/addons/digitalocean-cloud-controller";
import { digitalOceanCsiDriver } from "../../components/addons/digitalocean-csi-driver";
import type { Machine } from "../../components/cluster/credentials";
import type { Manifest } from "../../components/cluster/manifest";
import { resolveCluster } from "../../components/cluster/resolve";
import { controlPlane, controlPlaneBase } from "../../components/control-plane";
import { selfHostedEtcd } from "../../components/control-plane/etcd";
import { etcdCertificateJob, etcdCertificatesProgram } from "../../components/control-plane/etcd-certificates";
import { etcdJoinDeployment, etcdJoinProgram } from "../../components/control-plane/etcd-join";
import { etcdKeeper } from "../../components/control-plane/etcd-keeper";
import { etcdUpdateJob } from "../../components/control-plane/etcd-update";
import { selfHostedKubelet } from "../../components/control-plane/kubelet";
import { nodeAgent } from "../../components/control-plane/node-agent";
import { nodeApprover } from "../../components/control-plane/node-approver";
import { nodeCleaner } from "../../components/control-plane/node-cleaner";
import { nodeRemovalAccount, nodeRemovalJob } from "../../components/control-plane/node-removal";
import { placeholderCredentials } from "../../components/control-plane/placeholder";
import { rebootApprover } from "../../components/control-plane/reboot-approver";
import { secretsRewrite } from "../../components/control-plane/secrets-rewrite";
import { servingApprover } from "../../components/control-plane/serving-approver";
import { wantedNodes } from "../../components/control-plane/wanted-nodes";
import { etcdStaticPod } from "../../components/nodes/etcd";

const cluster = resolveCluster({ name: "c", workerPools: [{ name: "default" }] });
const rebooting = resolveCluster({ name: "c", osReboots: { windows: ["Sun 02:00-05:00"] } });
const download = { urls: [], sha256: "" };
const downloads = { kubelet: download, cniPlugins: download };
const pool = { downloads, maxUnavailable: 1 };
const fetched = { ...pool, downloads: { ...downloads, containerRuntime: { containerd: download, runc: download } } };
const node = cluster.controllers.names[0]!;
const machine: Machine = { name: node, address: "10.0.0.11" };
const region = { region: "region" };

/** What clusters run, with everything that one may ask for: by where it is, all of their objects. */
export const inCluster: Readonly<Record<string, readonly Manifest[]>> = {
    "Every cluster": [
        ...controlPlane(cluster, placeholderCredentials(cluster)),
        etcdStaticPod(cluster, { machine, initialCluster: "", initialClusterState: "new" }),
        ...controlPlaneBase(cluster, ""),
        ...nodeApprover(cluster, placeholderCredentials(cluster), { agent: "" }),
        ...nodeAgent(cluster, { ...pool, pool: "default" }, ""),
        ...etcdKeeper(cluster, ""),
        ...nodeRemovalAccount(),
        ...wantedNodes(cluster),
        nodeRemovalJob(cluster),
        etcdJoinDeployment(cluster, node, etcdJoinProgram("")),
        etcdUpdateJob(cluster, node, "etcd-update"),
        ...addons(cluster),
    ],
    "Where it is asked for": [
        ...nodeAgent(rebooting, { ...fetched, pool: "controller" }, ""),
        ...selfHostedKubelet(cluster),
        ...selfHostedEtcd(cluster, ""),
        ...rebootApprover(cluster, { windows: [] }, ""),
        ...servingApprover(cluster, ""),
        ...secretsRewrite(cluster, ""),
        etcdCertificateJob(cluster, node, etcdCertificatesProgram("")),
    ],
    AWS: [
        ...nodeCleaner(cluster, { namePattern: "", ...region }, ""),
        ...servingApprover(cluster, "", { ec2: "", namePattern: "", groups: [], ...region }),
        ...awsCloudController(cluster, region),
        ...awsCsiDriver(cluster, region),
        ...clusterAutoscaler(cluster, { ...region, autoscalerFlags: autoscalerFlags({}, "") }),
    ],
    DigitalOcean: [...digitalOceanCloudController(cluster), ...digitalOceanCsiDriver(cluster)],
};

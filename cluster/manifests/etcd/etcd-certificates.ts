import type { EtcdCertificatesPlan } from "../../../agents/etcd/certificates/plan";
import { caFile, certificateFile } from "../../../agents/etcd/member/files";
import type { LastingCredentials } from "../../keys/credentials";
import { firstKeys, isSame, keysAnnotation } from "../../keys/lists";
import type { Manifest } from "../../manifest";
import type { Cluster } from "../../model";
import { clusterApiServer, localApiServer, ports } from "../../network/ports";
import { paths } from "../../paths";
import { agentJob, agentPod, fromProgram, onMemberNode } from "../agent-workloads";
import { configMap, immutableConfigMap, json } from "../objects";
import { fromConfigMap, fromHost, type PodSpec } from "../pod";
import { etcdAnnotations } from "./member";

const name = "etcd-certificates";
const sourcePath = `/etc/tradewind/${name}`;
const caPath = "/etc/tradewind/ca";

/** Seconds that the stack waits for each member: its machine may be down for a while, or the kubelet back off. */
const timeoutSeconds = 900;

/** The agent's source text, in an object named by its content. */
export function etcdCertificatesProgram(agent: string): Manifest {
    return immutableConfigMap(name, { [`${name}.js`]: agent });
}

/** Whether members have other certificates or CAs than the initial ones. */
export function hasOtherEtcdCertificates({ certificates, keys }: Cluster): boolean {
    return certificates.generation > 1 || !isSame(keys.etcdCa, firstKeys.etcdCa);
}

/** A member's certificate, the CAs it trusts, and their paths, by file name. Its key stays on its machine. */
export function etcdCertificateFiles(
    cluster: Cluster,
    node: string,
    { etcdCa, etcdMembers }: LastingCredentials,
): Record<string, string> {
    return {
        "plan.json": json(etcdCertificatesPlan(cluster, node)),
        [caFile]: etcdCa.cert,
        [certificateFile]: etcdMembers[node]!.cert,
    };
}

/** Plan of the agent of a member. */
export function etcdCertificatesPlan(cluster: Cluster, node: string): EtcdCertificatesPlan {
    const isArbiter = cluster.controllers.arbiter?.nodes.includes(node);
    return {
        name: node,
        url: `https://127.0.0.1:${ports.etcdClient}`,
        healthUrl: `http://127.0.0.1:${ports.etcdMetrics}`,
        pki: paths.etcdPki,
        staticPod: paths.etcdStaticPod,
        annotation: { name: keysAnnotation, value: etcdAnnotations(cluster)?.[keysAnnotation] },
        data: paths.etcdMemberData,
        ...(cluster.controllers.candidates.length > 0 && { mayLackMember: true }),
        api: {
            server: isArbiter ? clusterApiServer(cluster) : localApiServer,
            credentials: { ca: `${caPath}/ca.crt`, client: paths.kubeletClient },
        },
    };
}

/** Certificates are not secret. */
export function etcdCertificateConfig(node: string, files: Record<string, string>): Manifest {
    return configMap(`${name}-${node}`, files);
}

/**
 * Installs a member's new certificate: another generation or CA list is another Job.
 *
 * With candidates the stack waits for none: any machine may be off, or have no member. Another change of the CAs waits
 * until every member's pod has them.
 */
export function etcdCertificateJob(cluster: Cluster, node: string, program: Manifest): Manifest {
    const { certificates, keys } = cluster;
    const by = isSame(keys.etcdCa, firstKeys.etcdCa) ? "" : `-by-${keys.etcdCa.join("-")}`;
    const job = { name: `${name}-${node}-${certificates.generation}${by}`, agent: name, timeoutSeconds };
    const manifest = agentJob(job, podSpec(cluster, node, program.metadata.name));
    if (cluster.controllers.candidates.length === 0) return manifest;
    return { ...manifest, metadata: { ...manifest.metadata, annotations: { "pulumi.com/skipAwait": "true" } } };
}

function podSpec(cluster: Cluster, node: string, program: string): PodSpec {
    // It terminates the member's process, and the kubelet restarts it.
    const placement = { ...onMemberNode(node), restartPolicy: "OnFailure", hostPID: true };
    const { candidates } = cluster.controllers;
    // Root without capabilities: it reads and writes root's files.
    return agentPod(cluster, name, placement, {
        args: [`${sourcePath}/plan.json`],
        mounted: [
            fromProgram(name, program),
            fromConfigMap("source", `${name}-${node}`, sourcePath),
            // A candidate that is no controller has none, and the agent does nothing.
            fromHost("pki", paths.etcdPki, {}, candidates.length > 0 ? "DirectoryOrCreate" : "Directory"),
            fromHost("static-pods", paths.staticPods),
            // Kubernetes keeps it in every namespace. The host's copy is next to keys.
            fromConfigMap("ca", "kube-root-ca.crt", caPath),
            fromHost("kubelet-pki", paths.kubeletPki, { readOnly: true }),
        ],
    });
}

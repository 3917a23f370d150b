import type { EtcdCertificatesPlan } from "../../../agents/etcd/certificates/plan";
import { authorityFile, certificateFile } from "../../../agents/etcd/member/files";
import { localApiServer } from "../../api-server";
import type { LastingCredentials } from "../../keys/credentials";
import { firstKeys, isSame, keysAnnotation } from "../../keys/lists";
import type { Manifest } from "../../manifest";
import type { Cluster } from "../../model";
import { ports } from "../../network/ports";
import { paths } from "../../paths";
import { agentJob, immutableConfigMap, onMemberNode } from "../agent-workloads";
import { confined, lastWords, type PodSpec } from "../pod";
import { etcdAnnotations } from "./member";

const name = "etcd-certificates";
const programPath = `/opt/tradewind/${name}`;
const sourcePath = `/etc/tradewind/${name}`;
const caPath = "/etc/tradewind/ca";

/** Seconds that the stack waits for one member: its machine may be away for a while, or the kubelet back off. */
const timeoutSeconds = 900;

/** The agent's text, under a name that changes with it. */
export function etcdCertificatesProgram(agent: string): Manifest {
    return immutableConfigMap(name, { [`${name}.js`]: agent });
}

/** Whether members have other certificates, or trust others, than those that they began with. */
export function hasOtherEtcdCertificates({ certificates, keys }: Cluster): boolean {
    return certificates.generation > 1 || !isSame(keys.etcdCa, firstKeys.etcdCa);
}

/** A member's certificate, whom it trusts, and where that goes, by file name. Its key is on its machine and stays there. */
export function etcdCertificateFiles(
    cluster: Cluster,
    node: string,
    { etcdCa, etcdMembers }: LastingCredentials,
): Record<string, string> {
    return {
        "plan.json": `${JSON.stringify(etcdCertificatesPlan(cluster, node), null, 2)}\n`,
        [authorityFile]: etcdCa.cert,
        [certificateFile]: etcdMembers[node]!.cert,
    };
}

/** What the agent of a member is told. */
export function etcdCertificatesPlan(cluster: Cluster, node: string): EtcdCertificatesPlan {
    return {
        name: node,
        url: `https://127.0.0.1:${ports.etcdClient}`,
        healthUrl: `http://127.0.0.1:${ports.etcdMetrics}`,
        pki: paths.etcdPki,
        staticPod: paths.etcdStaticPod,
        annotation: { name: keysAnnotation, value: etcdAnnotations(cluster)?.[keysAnnotation] },
        data: paths.etcdMemberData,
        api: { server: localApiServer, credentials: { ca: `${caPath}/ca.crt`, client: paths.kubeletClient } },
    };
}

/** A certificate is nothing secret. */
export function etcdCertificateConfig(node: string, files: Record<string, string>): Manifest {
    return {
        apiVersion: "v1",
        kind: "ConfigMap",
        metadata: { name: `${name}-${node}`, namespace: "kube-system" },
        data: files,
    };
}

/** Gives the member of a controller its new certificate, once for each generation and list: another one is another Job. */
export function etcdCertificateJob(cluster: Cluster, node: string, program: Manifest): Manifest {
    const { certificates, keys } = cluster;
    const by = isSame(keys.etcdCa, firstKeys.etcdCa) ? "" : `-by-${keys.etcdCa.join("-")}`;
    const job = { name: `${name}-${node}-${certificates.generation}${by}`, agent: name, timeoutSeconds };
    return agentJob(job, podSpec(cluster, node, program.metadata.name));
}

function podSpec({ images }: Cluster, node: string, program: string): PodSpec {
    return {
        ...onMemberNode(node),
        restartPolicy: "OnFailure",
        // It ends the member's process, for the kubelet to start it anew.
        hostPID: true,
        containers: [
            {
                name,
                image: images.node,
                ...lastWords,
                command: ["node", `${programPath}/${name}.js`, `${sourcePath}/plan.json`],
                resources: { requests: { cpu: "20m", memory: "64Mi" } },
                // Root without rights: what it reads and writes is root's alone.
                securityContext: confined,
                volumeMounts: [
                    { name: "program", mountPath: programPath, readOnly: true },
                    { name: "source", mountPath: sourcePath, readOnly: true },
                    { name: "pki", mountPath: paths.etcdPki },
                    { name: "static-pods", mountPath: paths.staticPods },
                    { name: "ca", mountPath: caPath, readOnly: true },
                    { name: "kubelet-pki", mountPath: paths.kubeletPki, readOnly: true },
                ],
            },
        ],
        volumes: [
            { name: "program", configMap: { name: program } },
            { name: "source", configMap: { name: `${name}-${node}` } },
            { name: "pki", hostPath: { path: paths.etcdPki, type: "Directory" } },
            { name: "static-pods", hostPath: { path: paths.staticPods, type: "Directory" } },
            // Kubernetes keeps it in every namespace. The host's lies beside keys.
            { name: "ca", configMap: { name: "kube-root-ca.crt" } },
            { name: "kubelet-pki", hostPath: { path: paths.kubeletPki, type: "Directory" } },
        ],
    };
}

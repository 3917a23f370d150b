import type { Machines, ServingApproverPlan } from "../../agents/serving-approver/plan";
import { serviceAccount } from "../addons/service-account";
import type { Manifest } from "../cluster/manifest";
import type { Cluster } from "../cluster/model";
import { localApiServer } from "../nodes/api-server";
import { confined, lastWords, nobody, type PodSpec } from "./pod";
import { immutableConfigMap, onAnyController, singleAgent } from "./single-agent";

const name = "serving-approver";
const programPath = `/opt/tradewind/${name}`;
const machinesPath = `/etc/tradewind/${name}`;
const machinesFile = "machines.json";
const certificates = "certificates.k8s.io";

/** The agent that approves kubelets' server certificates, for names and addresses of the stack's machines. */
export function servingApprover(cluster: Cluster, agent: string): Manifest[] {
    const plan: ServingApproverPlan = { apiServer: localApiServer, machines: `${machinesPath}/${machinesFile}` };
    const program = immutableConfigMap(name, {
        [`${name}.js`]: agent,
        "plan.json": `${JSON.stringify(plan, null, 2)}\n`,
    });
    return [...account(), program, singleAgent(name, podSpec(cluster, program.metadata.name))];
}

/** The machines that there are, which the agent reads again when they change. */
export function servingMachines(machines: Machines): Manifest {
    return {
        apiVersion: "v1",
        kind: "ConfigMap",
        metadata: { name: `${name}-machines`, namespace: "kube-system" },
        data: { [machinesFile]: `${JSON.stringify(machines, null, 2)}\n` },
    };
}

function account(): Manifest[] {
    return serviceAccount(name, [
        { apiGroups: [certificates], resources: ["certificatesigningrequests"], verbs: ["list"] },
        { apiGroups: [certificates], resources: ["certificatesigningrequests/approval"], verbs: ["patch"] },
        {
            apiGroups: [certificates],
            resources: ["signers"],
            resourceNames: ["kubernetes.io/kubelet-serving"],
            verbs: ["approve"],
        },
    ]);
}

function podSpec(cluster: Cluster, program: string): PodSpec {
    return {
        ...onAnyController(cluster, name),
        securityContext: {
            runAsNonRoot: true,
            runAsUser: nobody,
            runAsGroup: nobody,
            seccompProfile: { type: "RuntimeDefault" },
        },
        containers: [
            {
                name,
                image: cluster.images.node,
                ...lastWords,
                command: ["node", "--max-old-space-size=64", `${programPath}/${name}.js`, `${programPath}/plan.json`],
                resources: { requests: { cpu: "10m", memory: "64Mi" } },
                securityContext: confined,
                volumeMounts: [
                    { name: "program", mountPath: programPath, readOnly: true },
                    { name: "machines", mountPath: machinesPath, readOnly: true },
                ],
            },
        ],
        volumes: [
            { name: "program", configMap: { name: program } },
            { name: "machines", configMap: { name: `${name}-machines` } },
        ],
    };
}

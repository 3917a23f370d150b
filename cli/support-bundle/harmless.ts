/**
 * What of a cluster's objects and logs is known to be harmless. The rest is left out: whatever others put into
 * `kube-system` may be secret in a form that no pattern recognizes.
 */

/** Names of Tradewind's workloads, with which the names of their pods begin. */
const WORKLOADS = [
    ...["kube-apiserver", "kube-controller-manager", "kube-scheduler", "kube-proxy", "kubelet", "etcd", "etcd-member"],
    ...["etcd-join", "etcd-keeper", "etcd-certificates", "etcd-update", "secrets-rewrite", "checkpointer", "coredns"],
    ...[
        "flannel",
        "kube-router",
        "metrics-server",
        "metrics-proxy",
        "log-collector",
        "prometheus",
        "cloud-controller-manager",
        "cluster-autoscaler",
    ],
    ...["ebs-csi-node", "ebs-csi-controller", "do-csi-node", "do-csi-controller", "local-path-provisioner"],
    ...[
        "node-agent",
        "node-approver",
        "node-cleaner",
        "node-demotion",
        "node-promoter",
        "node-removal",
        "node-repairer",
        "reboot-approver",
        "serving-approver",
        "upgrade-guard",
    ],
    ...["snapshot-controller"],
];

/** Names of their containers. */
const CONTAINERS = [
    ...WORKLOADS,
    ...[
        "haproxy",
        "joined",
        "cleaned",
        "install-cni-plugin",
        "install-cni-config",
        "prepare-overlay",
        "block-link-local",
        "driver",
        "provisioner",
    ],
    ...["attacher", "resizer", "snapshotter", "node-driver-registrar", "liveness-probe"],
];

/** Variables that Tradewind sets, except those with credentials. */
const VARIABLES = [
    ...["NODE_IP", "POD_NAME", "NODE_NAME", "POD_UID", "HOST_IP", "POD_NAMESPACE", "CSI_NODE_NAME", "PATH"],
    ...["KUBERNETES_SERVICE_HOST", "KUBERNETES_SERVICE_PORT", "NODE_EXTRA_CA_CERTS", "AWS_REGION"],
    ...["DEFAULT_LB_TYPE", "DO_CLUSTER_VPC_ID"],
];

/** Annotations of Tradewind and of what it deploys. */
const ANNOTATION =
    /^(?:tradewind\.dev|flannel\.alpha\.coreos\.com|kube-router\.io|node\.alpha\.kubernetes\.io|volumes\.kubernetes\.io|csi\.volume\.kubernetes\.io)\/|^kubernetes\.io\/config\.|^(?:deployment\.kubernetes\.io\/revision|deprecated\.daemonset\.template\.generation|alpha\.kubernetes\.io\/provided-node-ip|pulumi\.com\/timeoutSeconds|control-plane\.alpha\.kubernetes\.io\/leader)$/;

const LEFT_OUT = "[left out]";

type Json = Record<string, unknown>;

/** Whether a workload or pod of `kube-system` is Tradewind's. */
export function isOwn(name: string): boolean {
    return WORKLOADS.some((workload) => name === workload || name.startsWith(`${workload}-`));
}

/** Whether the container of a pod in `kube-system` is Tradewind's. */
export function isOwnContainer(pod: string, container: string): boolean {
    return isOwn(pod) && CONTAINERS.includes(container);
}

/** The harmless part of an answer of the API: an object or a list of them. */
export function harmless(answer: unknown): unknown {
    if (!isObject(answer)) return answer;
    if (Array.isArray(answer.items)) return { ...answer, items: answer.items.map(harmless) };
    const { metadata = {}, spec, status, data, ...rest } = answer as Record<string, Json>;
    const { name = "", namespace } = metadata as { name?: string; namespace?: string };
    const about = (answer.involvedObject ?? answer.regarding) as { kind?: string; name?: string } | undefined;
    if (about) {
        const isKnown = about.kind === "Node" || isOwn(about.name ?? "");
        return { ...rest, metadata: ofMetadata(metadata), ...(!isKnown && { message: LEFT_OUT }) };
    }
    const isOurs = (namespace === undefined || namespace === "kube-system") && isOwn(name);
    return {
        ...rest,
        metadata: ofMetadata(metadata),
        ...(spec && { spec: ofSpec(spec, isOurs) }),
        ...(status && { status: isOurs || !("containerStatuses" in status) ? status : ofForeignStatus(status) }),
        ...(data && { data }),
    };
}

function ofMetadata({ managedFields: _, annotations, ...metadata }: Json): Json {
    if (!isObject(annotations)) return metadata;
    const values = Object.entries(annotations).map(([key, value]) => [key, ANNOTATION.test(key) ? value : LEFT_OUT]);
    return { ...metadata, annotations: Object.fromEntries(values) };
}

/** Of a pod, of a workload with a template, or of another kind of object, which has neither. */
function ofSpec(spec: Json, isOurs: boolean): Json {
    if (Array.isArray(spec.containers)) return ofPodSpec(spec, isOurs);
    if (!isObject(spec.template)) return spec;
    const { metadata = {}, spec: pod = {} } = spec.template as { metadata?: Json; spec?: Json };
    return { ...spec, template: { metadata: ofMetadata(metadata), spec: ofPodSpec(pod, isOurs) } };
}

/** Fields of others' pods that tell where they run, and why not. */
const PLACEMENT = ["nodeName", "nodeSelector", "tolerations", "priorityClassName", "hostNetwork", "serviceAccountName"];

function ofPodSpec(spec: Json, isOurs: boolean): Json {
    const base = isOurs ? spec : pick(spec, PLACEMENT);
    const lists = ["initContainers", "containers", "ephemeralContainers"].flatMap((list) => {
        const containers = spec[list] as Json[] | undefined;
        return containers ? [[list, containers.map((each) => ofContainer(each, isOurs))]] : [];
    });
    return { ...base, ...Object.fromEntries(lists) };
}

function ofContainer(container: Json, isOurs: boolean): Json {
    if (!isOurs || !CONTAINERS.includes(container.name as string)) {
        return pick(container, ["name", "image", "resources", "ports", "restartPolicy"]);
    }
    const env = container.env as { name: string; value?: string }[] | undefined;
    if (!env) return container;
    const clean = (each: { name: string; value?: string }) =>
        each.value === undefined || VARIABLES.includes(each.name) ? each : { ...each, value: LEFT_OUT };
    return { ...container, env: env.map(clean) };
}

/** Without messages, which quote what containers and probes print. */
function ofForeignStatus(status: Json): Json {
    return JSON.parse(JSON.stringify(status, (key, value) => (key === "message" ? LEFT_OUT : value)));
}

/** The harmless part of the files of static pods, printed one after another below a line `==> path`. */
export function harmlessStaticPods(text: string): string {
    return text.replace(
        /^(==> .*)\n([\s\S]*?)(?=^==> |(?![\s\S]))/gm,
        (_, title, body) => `${title}\n${ofFile(body)}\n`,
    );
}

function ofFile(body: string): string {
    try {
        return JSON.stringify(harmless(JSON.parse(body)), undefined, 2);
    } catch {
        return "[left out, because it is no JSON]";
    }
}

/** Leaves out of a machine's journal what it quotes of others' pods: output of probes, errors, arguments. */
export function harmlessJournal(text: string): string {
    return text
        .split("\n")
        .map((line) => {
            const pod = /\bpod="([^"/]*)\/([^"]*)"/.exec(line);
            const isForeign = pod && (pod[1] !== "kube-system" || !isOwn(pod[2]!));
            return isForeign
                ? line.replace(/\b(output|err|cmd|message|args)=(?:"(?:[^"\\]|\\.)*"|.*)/g, `$1=${LEFT_OUT}`)
                : line;
        })
        .join("\n");
}

function pick(object: Json, keys: readonly string[]): Json {
    return Object.fromEntries(keys.filter((key) => key in object).map((key) => [key, object[key]]));
}

function isObject(value: unknown): value is Json {
    return typeof value === "object" && value !== null && !Array.isArray(value);
}

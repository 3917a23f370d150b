import { clusterApiServer } from "../../../cluster/network/ports";
import { resolveCluster } from "../../../cluster/resolve";
import { images } from "../../../versions/images";

const namespace = "kube-flannel";
const metadata = { name: "flannel", namespace };
const cniConfig = {
    name: "cbr0",
    cniVersion: "0.3.1",
    plugins: [
        { type: "flannel", delegate: { hairpinMode: true, isDefaultGateway: true } },
        { type: "portmap", capabilities: { portMappings: true } },
    ],
};

/** flannel in a namespace of its own, as its project's manifest installs it: it reaches the API by its Service. */
export const userFlannel = {
    apiVersion: "v1",
    kind: "List",
    items: [
        {
            apiVersion: "v1",
            kind: "Namespace",
            metadata: {
                name: namespace,
                labels: {
                    "pod-security.kubernetes.io/enforce": "privileged",
                    "tradewind.dev/system-priority-classes": "allowed",
                },
            },
        },
        { apiVersion: "v1", kind: "ServiceAccount", metadata },
        {
            apiVersion: "rbac.authorization.k8s.io/v1",
            kind: "ClusterRole",
            metadata: { name: "users-flannel" },
            rules: [
                { apiGroups: [""], resources: ["pods"], verbs: ["get"] },
                { apiGroups: [""], resources: ["nodes"], verbs: ["get", "list", "watch"] },
                { apiGroups: [""], resources: ["nodes/status"], verbs: ["patch"] },
            ],
        },
        {
            apiVersion: "rbac.authorization.k8s.io/v1",
            kind: "ClusterRoleBinding",
            metadata: { name: "users-flannel" },
            roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "users-flannel" },
            subjects: [{ kind: "ServiceAccount", ...metadata }],
        },
        {
            apiVersion: "v1",
            kind: "ConfigMap",
            metadata,
            data: {
                "cni-conf.json": JSON.stringify(cniConfig),
                "net-conf.json": JSON.stringify({ Network: "10.2.0.0/16", Backend: { Type: "vxlan" } }),
            },
        },
        {
            apiVersion: "apps/v1",
            kind: "DaemonSet",
            metadata,
            spec: {
                selector: { matchLabels: { app: "flannel" } },
                template: { metadata: { labels: { app: "flannel" } }, spec: flannelPod() },
            },
        },
    ],
};

function flannelPod(): object {
    const mount = (name: string, mountPath: string) => ({ name, mountPath });
    const onHost = (name: string, path: string) => ({ name, hostPath: { path, type: "DirectoryOrCreate" } });
    const field = (name: string, fieldPath: string) => ({ name, valueFrom: { fieldRef: { fieldPath } } });
    return {
        serviceAccountName: "flannel",
        hostNetwork: true,
        priorityClassName: "system-node-critical",
        tolerations: [{ operator: "Exists", effect: "NoSchedule" }],
        initContainers: [
            {
                name: "install-cni-plugin",
                image: images.flannelCniPlugin,
                command: ["cp", "-f", "/flannel", "/opt/cni/bin/flannel"],
                volumeMounts: [mount("plugins", "/opt/cni/bin")],
            },
            {
                name: "install-cni",
                image: images.flannel,
                command: ["cp", "-f", "/etc/kube-flannel/cni-conf.json", "/etc/cni/net.d/10-flannel.conflist"],
                volumeMounts: [mount("cni", "/etc/cni/net.d"), mount("config", "/etc/kube-flannel")],
            },
        ],
        containers: [
            {
                name: "flannel",
                image: images.flannel,
                command: ["/opt/bin/flanneld", "--ip-masq", "--kube-subnet-mgr"],
                securityContext: { capabilities: { add: ["NET_ADMIN", "NET_RAW"] } },
                env: [field("POD_NAME", "metadata.name"), field("POD_NAMESPACE", "metadata.namespace")],
                volumeMounts: [mount("run", "/run/flannel"), mount("config", "/etc/kube-flannel")],
            },
        ],
        volumes: [
            onHost("run", "/run/flannel"),
            onHost("plugins", "/opt/cni/bin"),
            onHost("cni", "/etc/cni/net.d"),
            { name: "config", configMap: { name: "flannel" } },
        ],
    };
}

const proxy = { name: "users-proxy", namespace };

/**
 * What replaces the stack's kube-proxy: another one, in the other mode, and with ports of its own, so that both can run.
 * The namespace is that of {@link userFlannel}.
 *
 * @param cluster - name of the cluster, whose nodes know the API by its name
 */
export function userProxy(cluster: string): object {
    const server = clusterApiServer(resolveCluster({ name: cluster }));
    return {
        apiVersion: "v1",
        kind: "List",
        items: [
            { apiVersion: "v1", kind: "ServiceAccount", metadata: proxy },
            { apiVersion: "v1", kind: "ConfigMap", metadata: proxy, data: { kubeconfig: kubeconfig(server) } },
            {
                apiVersion: "rbac.authorization.k8s.io/v1",
                kind: "ClusterRoleBinding",
                metadata: { name: proxy.name },
                roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "system:node-proxier" },
                subjects: [{ kind: "ServiceAccount", ...proxy }],
            },
            {
                apiVersion: "apps/v1",
                kind: "DaemonSet",
                metadata: proxy,
                spec: {
                    selector: { matchLabels: { app: proxy.name } },
                    template: { metadata: { labels: { app: proxy.name } }, spec: proxyPod },
                },
            },
        ],
    };
}

function kubeconfig(server: string): string {
    const account = "/var/run/secrets/kubernetes.io/serviceaccount";
    return JSON.stringify({
        apiVersion: "v1",
        kind: "Config",
        clusters: [{ name: "c", cluster: { server, "certificate-authority": `${account}/ca.crt` } }],
        users: [{ name: "u", user: { tokenFile: `${account}/token` } }],
        contexts: [{ name: "c", context: { cluster: "c", user: "u" } }],
        "current-context": "c",
    });
}

const proxyPod = {
    serviceAccountName: proxy.name,
    hostNetwork: true,
    dnsPolicy: "Default",
    priorityClassName: "system-node-critical",
    tolerations: [{ operator: "Exists" }],
    containers: [
        {
            name: "proxy",
            image: images.kubeProxy,
            command: [
                "kube-proxy",
                "--kubeconfig=/config/kubeconfig",
                "--hostname-override=$(NODE_NAME)",
                "--cluster-cidr=10.2.0.0/16",
                "--proxy-mode=iptables",
                "--conntrack-max-per-core=0",
                "--conntrack-min=0",
                "--conntrack-tcp-timeout-established=0s",
                "--conntrack-tcp-timeout-close-wait=0s",
                "--healthz-bind-address=127.0.0.1:10996",
                "--metrics-bind-address=127.0.0.1:10995",
            ],
            env: [{ name: "NODE_NAME", valueFrom: { fieldRef: { fieldPath: "spec.nodeName" } } }],
            securityContext: { privileged: true },
            volumeMounts: [{ name: "config", mountPath: "/config" }],
        },
    ],
    volumes: [{ name: "config", configMap: { name: proxy.name } }],
};

/** Mounts a BPF file system and a cgroup2 hierarchy on its node, as Cilium's init containers do. */
export function mountingPod(namespace: string, nodeName: string): object {
    const inMachine = "busybox nsenter -m/node/proc/1/ns/mnt";
    const cgroup = "/run/users-cgroup";
    const commands = [
        "busybox mount -t bpf bpf /sys/fs/bpf",
        `${inMachine} mkdir -p ${cgroup}`,
        `${inMachine} mount -t cgroup2 none ${cgroup}`,
    ];
    return {
        apiVersion: "v1",
        kind: "Pod",
        metadata: { name: "mounts", namespace },
        spec: {
            nodeName,
            hostNetwork: true,
            restartPolicy: "Never",
            containers: [
                {
                    name: "mounts",
                    image: images.busybox,
                    command: ["busybox", "sh", "-c", commands.join(" && ")],
                    securityContext: { privileged: true },
                    volumeMounts: [
                        { name: "bpf", mountPath: "/sys/fs/bpf", mountPropagation: "Bidirectional" },
                        { name: "proc", mountPath: "/node/proc", readOnly: true },
                    ],
                },
            ],
            volumes: [
                { name: "bpf", hostPath: { path: "/sys/fs/bpf" } },
                { name: "proc", hostPath: { path: "/proc" } },
            ],
        },
    };
}

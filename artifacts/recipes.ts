import { binaryPlace } from "../cache";
import { type EtcdVersion, type KubernetesVersion, versions } from "../versions";
import { type Images, imagesFor } from "../versions/images";
import { haproxyRootItem } from "./image-roots";
import type { DebianRoot } from "./item";
import type { Layer } from "./layer";
import {
    base,
    busybox,
    busyboxCommands,
    cppLibraries,
    lockTool,
    networkTools,
    PATH,
    shellTools,
    tunnelTool,
    volumeTools,
} from "./layers";
import { etcd, kubernetes, node, parts, pause } from "./lock";
import type { ImageConfig } from "./oci";
import { nodeItem, pauseItem } from "./other-items";
import type { Part } from "./part";
import { itemId } from "./part-items";

/** How an image is built. */
export interface Recipe {
    readonly image: string;
    /** Other official names of the same image. @default [] */
    readonly aliases?: readonly string[];
    /** The Debian root that layers take files from. @default debian */
    readonly root?: DebianRoot;
    /** Ids of the items whose binaries it holds. */
    readonly needs: readonly string[];
    readonly layers: readonly Layer[];
    readonly config: ImageConfig;
}

/** The images that depend on the Kubernetes version. */
export function kubernetesRecipes(version: KubernetesVersion): Recipe[] {
    const images = imagesFor(version);
    const part = kubernetes(version);
    const component = (image: string, binary: string, ...under: Layer[]): Recipe => ({
        image,
        needs: [itemId(part, binary)],
        layers: [base, ...under, program(part, binary, `/usr/local/bin/${binary}`)],
        config: { Env: [PATH] },
    });
    return [
        component(images.kubeApiserver, "kube-apiserver"),
        component(images.kubeControllerManager, "kube-controller-manager"),
        component(images.kubeScheduler, "kube-scheduler"),
        component(images.kubeProxy, "kube-proxy", networkTools),
        component(images.kubelet, "kubelet", shellTools, volumeTools, networkTools),
    ];
}

/** The image of one version of etcd. */
export function etcdRecipe(version: EtcdVersion): Recipe {
    const part = etcd(version);
    return {
        image: imagesFor(versions.kubernetes, version).etcd,
        // The name under which kubeadm requests it.
        aliases: [`registry.k8s.io/etcd:${version}-0`],
        needs: [itemId(part, "etcd")],
        layers: [base, ...["etcd", "etcdctl", "etcdutl"].map((name) => program(part, name, `/usr/local/bin/${name}`))],
        config: { Cmd: ["/usr/local/bin/etcd"], Env: [PATH] },
    };
}

/** The images that are the same for every Kubernetes version. */
export function commonRecipes(images: Images = imagesFor(versions.kubernetes)): Recipe[] {
    const {
        coredns,
        flannel,
        flannelCniPlugin,
        kubeRouter,
        metricsServer,
        logCollector,
        prometheus,
        localPathProvisioner,
    } = parts;
    return [
        {
            image: images.pause,
            needs: [pauseItem.id],
            layers: [{ binaries: { "/pause": binaryPlace(pause, "pause") } }],
            config: { Entrypoint: ["/pause"], User: "65535:65535" },
        },
        etcdRecipe(versions.etcd),
        {
            image: images.coredns,
            needs: [itemId(coredns, "coredns")],
            layers: [base, program(coredns, "coredns", "/coredns")],
            config: { Entrypoint: ["/coredns"], Env: [PATH] },
        },
        {
            image: images.flannel,
            needs: [itemId(flannel, "flanneld")],
            layers: [base, networkTools, busybox, tunnelTool, program(flannel, "flanneld", "/opt/bin/flanneld")],
            config: { Entrypoint: ["/opt/bin/flanneld"], Env: [PATH] },
        },
        {
            image: images.flannelCniPlugin,
            needs: [itemId(flannelCniPlugin, "flannel")],
            layers: [base, busybox, program(flannelCniPlugin, "flannel", "/flannel")],
            config: { Env: [PATH] },
        },
        {
            image: images.kubeRouter,
            needs: [itemId(kubeRouter, "kube-router")],
            layers: [
                base,
                networkTools,
                busybox,
                busyboxCommands,
                tunnelTool,
                program(kubeRouter, "kube-router", "/usr/local/bin/kube-router"),
            ],
            config: { Entrypoint: ["/usr/local/bin/kube-router"], Env: [PATH] },
        },
        {
            image: images.metricsServer,
            needs: [itemId(metricsServer, "metrics-server")],
            layers: [base, program(metricsServer, "metrics-server", "/metrics-server")],
            config: { Entrypoint: ["/metrics-server"], Env: [PATH] },
        },
        {
            image: images.logCollector,
            needs: [itemId(logCollector, "otelcol-contrib")],
            layers: [base, program(logCollector, "otelcol-contrib", "/otelcol-contrib")],
            config: { Entrypoint: ["/otelcol-contrib"], Env: [PATH] },
        },
        {
            image: images.prometheus,
            needs: [itemId(prometheus, "prometheus")],
            layers: [base, program(prometheus, "prometheus", "/usr/local/bin/prometheus")],
            config: { Entrypoint: ["/usr/local/bin/prometheus"], Env: [PATH] },
        },
        {
            image: images.node,
            needs: [nodeItem.id],
            layers: [
                base,
                busybox,
                lockTool,
                cppLibraries,
                { binaries: { "/usr/local/bin/node": binaryPlace(node, "node") } },
            ],
            config: { Cmd: ["node"], Env: [PATH, `NODE_VERSION=${node.version}`] },
        },
        {
            image: images.haproxy,
            root: "haproxy",
            needs: [haproxyRootItem.id],
            layers: [
                base,
                busybox,
                { programs: ["/usr/sbin/haproxy"], links: { "/usr/local/sbin/haproxy": "/usr/sbin/haproxy" } },
            ],
            config: {
                Cmd: ["haproxy", "-W", "-db", "-f", "/usr/local/etc/haproxy/haproxy.cfg"],
                Env: [PATH],
                User: "99:99",
                // Exits once its connections have ended.
                StopSignal: "SIGUSR1",
            },
        },
        {
            image: images.busybox,
            needs: [],
            layers: [base, busybox, busyboxCommands],
            config: { Cmd: ["sh"], Env: [PATH] },
        },
        {
            image: images.localPathProvisioner,
            needs: [itemId(localPathProvisioner, "local-path-provisioner")],
            layers: [base, program(localPathProvisioner, "local-path-provisioner", "/usr/bin/local-path-provisioner")],
            config: { Entrypoint: ["local-path-provisioner"], Env: [PATH] },
        },
    ];
}

export function program(part: Part, binary: string, path: string): Layer {
    return { binaries: { [path]: binaryPlace(part, binary) } };
}

import { type Config, config, file } from "../../ignition";

/** Links of ours, of kube-proxy and of CNI plugins, as networkd names them. */
const links = ["services", "cni*", "flannel*", "veth*", "kube-*", "cali*", "tunl*", "vxlan.calico", "cilium_*", "lxc*"];

/**
 * Keeps systemd-networkd, where the OS has it, from what others configure: by default it removes all routes and rules that it was
 * not told of when it starts or configures a link again, such as those of CNI plugins. An OS
 * whose networkd takes every link, as Flatcar's does, would ask for addresses on those of pods.
 *
 * NetworkManager, as on Fedora CoreOS, needs none of this: it leaves alone rules that it did not make, and routes of other links.
 */
export function osNetwork(): Config {
    return config({
        files: [
            file("/etc/systemd/networkd.conf.d/90-tradewind.conf", foreign, { mode: 0o644 }),
            // The first file that matches a link is the one that counts.
            file("/etc/systemd/network/05-tradewind.network", unmanaged, { mode: 0o644 }),
        ],
    });
}

const foreign = `# Routes and rules of CNI plugins and of node-routes.service stay.
[Network]
ManageForeignRoutes=no
ManageForeignRoutingPolicyRules=no
`;

const unmanaged = `# Links of pods and services: the programs that make them configure them.
[Match]
Name=${links.join(" ")}

[Link]
Unmanaged=yes
`;

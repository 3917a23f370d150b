import { type Config, config, file, link } from "../../ignition";
import { shutdownPhases } from "./shutdown-phases";

const folder = "/etc/systemd/logind.conf.d";

/** The file that a kubelet writes when logind lets nothing delay a shutdown for as long as its phases are. */
const kubeletsOwn = "99-kubelet.conf";

/** The most that a node may take: phases grow when a cluster of one controller gets more. */
const longest = shutdownPhases({ controllers: { names: ["first", "other"] } }, "controller").reduce(
    (sum, { shutdownGracePeriodSeconds }) => sum + shutdownGracePeriodSeconds,
    0,
);

/**
 * Has logind let the kubelet delay a shutdown for as long as its phases take together.
 *
 * The kubelet can see to that itself, but gives up for as long as it runs if another drop-in that sorts later says less, as that of
 * unattended-upgrades does on Ubuntu (30 seconds; kubernetes/kubernetes#107043), or if logind takes more than three seconds to
 * read its file again. So its file is there before it starts, and counts again under the last name of all: what the
 * kubelet writes into it, after its phases became longer, counts too.
 */
export function shutdownDelay(): Config {
    return config({
        files: [file(`${folder}/${kubeletsOwn}`, `[Login]\nInhibitDelayMaxSec=${longest}\n`, { mode: 0o644 })],
        links: [link(`${folder}/zz-tradewind.conf`, kubeletsOwn)],
    });
}

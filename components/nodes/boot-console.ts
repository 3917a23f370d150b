import { type Config, config, file, unit } from "../../ignition";
import { paths } from "./paths";

/** Of which a node is made, in their order. The bootstrap itself tells who may know; see `bootstrapReport`. */
const units = [
    "containerd",
    "node-routes",
    "cni-plugins",
    "await-name",
    "etcd-disk",
    "bootstrap-receiver",
    "kubelet",
].map((name) => `${name}.service`);

/** Seconds until a machine that is no node says so, and then at least and at most between two times. */
const patience = { first: 120, most: 1800 } as const;

/**
 * Has a machine that does not become a node say on its console what it waits for: where nobody can reach into it, that is all
 * that can be seen of it. Whoever may read a console may see no secret: it has lines of these units alone, without what
 * comes before an @ in an address, and after a question mark.
 */
export function bootConsole(): Config {
    return config({
        files: [file(`${paths.bin}/boot-console`, script, { mode: 0o755 })],
        units: [unit("boot-console.service", { enabled: true, contents: service })],
    });
}

/** The API gave it: a kubelet writes its kubeconfig before it has asked anybody. */
const signOfNode = paths.kubeletClient;

const script = `#!/bin/sh
# Says what this machine waits for, as long as it is no node, less and less often.
set -u
property() { systemctl show --property "$1" --value "$2"; }
wait=${patience.first}
while sleep "$wait"; do
    if [ -e ${signOfNode} ]; then exit 0; fi
    echo "tradewind: $(uname -n) is no node $(cut -d . -f 1 /proc/uptime) s after its boot"
    for unit in ${units.join(" ")}; do
        [ "$(property LoadState "$unit")" = loaded ] || continue
        state="$(property ActiveState "$unit") $(property SubState "$unit")"
        [ "$state" != "active exited" ] || continue
        echo "tradewind: $unit: $state"
        journalctl --no-pager --quiet --lines 4 --output cat --unit "$unit" |
            sed -e 's#://[^/@ ]*@#://#g' -e 's#?[^ "]*#?#g' -e 's/^/tradewind:   /'
    done
    wait=$((wait * 2))
    if [ "$wait" -gt ${patience.most} ]; then wait=${patience.most}; fi
done
`;

const service = `[Unit]
Description=Say on the console what keeps this machine from being a node
ConditionPathExists=!${signOfNode}

[Service]
StandardOutput=journal+console
# Consoles of some systems leave out what is less.
SyslogLevel=notice
ExecStart=${paths.bin}/boot-console

[Install]
WantedBy=multi-user.target
`;

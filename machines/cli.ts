import { readFileSync } from "node:fs";
import { waitForBootstrap } from "./bootstrap";
import { createNetwork, destroyCluster, destroyNetwork, list } from "./cluster";
import { ensureEngine } from "./engine";
import { execInteractive } from "./exec";
import type { MachineOs } from "./image";
import { destroyLoadBalancer, ensureLoadBalancer } from "./load-balancer";
import { collectLogs } from "./logs";
import { consoleLog, createMachine, destroyMachine, powerOn, requireMachine } from "./machine";
import { requireNetwork } from "./network";
import { checkAddress, LEGAL, Options, UsageError } from "./options";
import { powerCut, powerOff, reboot } from "./power";

const HELP = `Local machines: containers that boot systemd and take their configuration by Ignition.

Usage: node -r tsx/cjs machines/cli.ts <verb> [options]

  network create        --cluster C --subnet CIDR --domain D   network, DNS and mirror
  network destroy       --cluster C
  load-balancer create  --cluster C --address IP --backends IP,IP,...   again: new backends in place
  load-balancer destroy --cluster C
  machine create        --cluster C --name N --address IP [--os ignition|cloud-init] [--memory 4g] < config
  machine destroy       --cluster C --name N
  machine reboot        --cluster C --name N                   in good order
  machine power-cut     --cluster C --name N                   off at once, and on again
  machine power-off     --cluster C --name N                   off at once
  machine power-on      --cluster C --name N
  machine console       --cluster C --name N                   what its console showed
  bootstrap wait        --cluster C --name N [--timeout 900]   until the control plane has pivoted
  exec                  --cluster C --name N -- COMMAND...
  list                  [--cluster C] [--json]
  logs                  --cluster C --into DIR                 everything all of them have to tell
  destroy               --cluster C                            all of it
`;

/** Resolves to its exit code, if that is a number. */
type Verb = (options: Options) => Promise<unknown>;

const cluster = (options: Options) => options.required("cluster", ...LEGAL.label);
const name = (options: Options) => options.required("name", ...LEGAL.label);
const address = (options: Options) => options.required("address", ...LEGAL.address);

const VERBS: Readonly<Record<string, Verb>> = {
    "network create": (o) =>
        createNetwork({
            cluster: cluster(o),
            subnet: o.required("subnet", ...LEGAL.subnet),
            domain: o.required("domain", ...LEGAL.domain),
        }),
    "network destroy": (o) => destroyNetwork(cluster(o)),
    "load-balancer create": async (o) => {
        const backends = o.required("backends", ...LEGAL.addresses).split(",");
        checkAddress(address(o), (await requireNetwork(cluster(o))).subnet, 3);
        await ensureLoadBalancer({ cluster: cluster(o), address: address(o), backends });
    },
    "load-balancer destroy": (o) => destroyLoadBalancer(cluster(o)),
    "machine create": async (o) => {
        const os = o.optional("os", ...LEGAL.os) as MachineOs | undefined;
        const memory = o.optional("memory", ...LEGAL.memory);
        const machine = { cluster: cluster(o), name: name(o), address: address(o), os, memory };
        checkAddress(machine.address, (await requireNetwork(machine.cluster)).subnet, 4);
        await createMachine({ ...machine, config: readConfig() });
    },
    "machine destroy": (o) => destroyMachine(cluster(o), name(o)),
    "machine reboot": (o) => reboot(cluster(o), name(o)),
    "machine power-cut": (o) => powerCut(cluster(o), name(o)),
    "machine power-off": (o) => powerOff(cluster(o), name(o)),
    "machine power-on": (o) => powerOn(cluster(o), name(o)),
    "machine console": async (o) => {
        await requireMachine(cluster(o), name(o));
        process.stdout.write(await consoleLog(cluster(o), name(o)));
    },
    "bootstrap wait": (o) => {
        const timeout = Number(o.optional("timeout", ...LEGAL.seconds) ?? 900);
        return waitForBootstrap({ cluster: cluster(o), name: name(o), timeout });
    },
    exec: async (o) => {
        await requireMachine(cluster(o), name(o));
        return execInteractive(cluster(o), name(o), o.command);
    },
    list: async (o) => {
        const found = await list(o.optional("cluster", ...LEGAL.label));
        const lines = found.map((item) => [item.cluster, item.name, item.role, item.address, item.state].join("\t"));
        console.log(o.flag("json") ? JSON.stringify(found, null, 2) : lines.join("\n"));
    },
    logs: async (o) => {
        const into = o.required("into", ...LEGAL.path);
        const names = await collectLogs(cluster(o), into);
        console.log(`logs of ${names.length} containers are in ${into}`);
    },
    destroy: (o) => destroyCluster(cluster(o)),
};

async function main(args: readonly string[]): Promise<number> {
    try {
        const options = Options.parse(args);
        if (options.flag("help")) {
            console.log(HELP);
            return 0;
        }
        const given = options.words.join(" ");
        const verb = VERBS[given];
        if (!verb) {
            throw new UsageError(`verb must be one of ${Object.keys(VERBS).join(", ")}, got ${given || "nothing"}`);
        }
        await ensureEngine();
        const result = await verb(options);
        return typeof result === "number" ? result : 0;
    } catch (error) {
        if (!(error instanceof Error)) throw error;
        console.error(process.env.TRADEWIND_DEBUG ? error : error.message);
        return error instanceof UsageError ? 2 : 1;
    }
}

/** Standard input, as it may hold keys that must not be seen in a process list. */
function readConfig(): string {
    const config = process.stdin.isTTY ? "" : readFileSync(0, "utf8");
    if (config.trim() === "") {
        throw new UsageError("standard input must be the configuration of the machine, got nothing");
    }
    return config;
}

main(process.argv.slice(2)).then((exitCode) => {
    process.exitCode = exitCode;
});

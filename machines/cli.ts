import { text } from "node:stream/consumers";
import { gunzipSync } from "node:zlib";
import { startBootstrap, waitForBootstrap } from "./bootstrap";
import { createNetwork, destroyCluster, destroyNetwork, list } from "./cluster";
import { execInteractive } from "./docker";
import { ensureEngine } from "./engine";
import type { MachineOs, OsLike } from "./image";
import { destroyLoadBalancer, ensureLoadBalancer } from "./load-balancer";
import { collectLogs } from "./logs";
import { consoleLog, createMachine, destroyMachine, powerOn, requireMachine } from "./machine";
import { requireNetwork } from "./network";
import { checkAddress, LEGAL, Options, UsageError } from "./options";
import { powerCut, powerOff, reboot } from "./power";

const HELP = `Local machines: containers that boot systemd and are configured by Ignition.

Usage: node -r tsx/cjs machines/cli.ts <verb> [options]

  network create        --cluster C --subnet CIDR --domain D [--subnet6 CIDR]   network, DNS and mirror
  network destroy       --cluster C
  load-balancer create  --cluster C --address IP --backends IP,IP,... [--publish PORT]
                        (if it exists, switches to the new backends; connections stay open)
  load-balancer destroy --cluster C
  machine create        --cluster C --name N --address IP [--address6 IP] [--os ignition|cloud-init] [--os-like ubuntu]
                        [--memory 4g] < config
  machine destroy       --cluster C --name N
  machine reboot        --cluster C --name N                   graceful reboot
  machine power-cut     --cluster C --name N                   hard power-off, then power-on
  machine power-off     --cluster C --name N                   hard power-off
  machine power-on      --cluster C --name N
  machine console       --cluster C --name N                   console log
  bootstrap run         --cluster C --name N [--timeout 900]   starts a cluster there; reads its assets from
                        standard input (gzip in base64)
  bootstrap wait        --cluster C --name N [--timeout 900]   waits until the control plane has pivoted
  exec                  --cluster C --name N -- COMMAND...
  list                  [--cluster C] [--json]
  logs                  --cluster C --into DIR                 saves the logs of all containers
  destroy               --cluster C                            removes the whole cluster`;

/** Runs one command and resolves to its exit code: 2 for a bad command line, 1 for a failure. */
export async function main(args: readonly string[]): Promise<number> {
    try {
        const options = Options.parse(args);
        if (options.flag("help")) {
            process.stdout.write(HELP);
            return 0;
        }
        const given = options.words.join(" ");
        if (!Object.hasOwn(VERBS, given)) {
            throw new UsageError(`verb must be one of ${Object.keys(VERBS).join(", ")}, got ${given || "nothing"}`);
        }
        const act = VERBS[given](options);
        const { version, startedWithLog } = await ensureEngine();
        if (startedWithLog) {
            console.error(`started the Docker engine ${version} (log: ${startedWithLog})`);
        }
        const result = await act();
        return typeof result === "number" ? result : 0;
    } catch (error) {
        if (!(error instanceof Error)) throw error;
        console.error(process.env.TRADEWIND_DEBUG ? error : error.message);
        return error instanceof UsageError ? 2 : 1;
    }
}

/** Checks the options and returns the action; it resolves to the exit code if that is a number. */
type Verb = (options: Options) => () => Promise<unknown>;

const cluster = (options: Options) => options.required("cluster", ...LEGAL.label);
const address = (options: Options) => options.required("address", ...LEGAL.address);

/** A verb for an existing machine. */
const onMachine =
    (act: (cluster: string, name: string) => Promise<unknown>): Verb =>
    (options) => {
        const [of, name] = [cluster(options), options.required("name", ...LEGAL.label)];
        return async () => {
            await requireMachine(of, name);
            return act(of, name);
        };
    };

/** Every verb of the command line. */
const VERBS: Readonly<Record<string, Verb>> = {
    "network create": (options) => {
        const subnet = options.required("subnet", ...LEGAL.subnet);
        const domain = options.required("domain", ...LEGAL.domain);
        const subnet6 = options.optional("subnet6", ...LEGAL.subnet6);
        const network = { cluster: cluster(options), subnet, subnet6, domain };
        return () => createNetwork(network);
    },
    "network destroy": (options) => {
        const of = cluster(options);
        return () => destroyNetwork(of);
    },
    "load-balancer create": (options) => {
        const backends = options.required("backends", ...LEGAL.addresses).split(",");
        const publish = options.optional("publish", ...LEGAL.port);
        const loadBalancer = { cluster: cluster(options), address: address(options), backends };
        return async () => {
            checkAddress(loadBalancer.address, (await requireNetwork(loadBalancer.cluster)).subnet, 3);
            await ensureLoadBalancer({ ...loadBalancer, publish: publish ? Number(publish) : undefined });
        };
    },
    "load-balancer destroy": (options) => {
        const of = cluster(options);
        return () => destroyLoadBalancer(of);
    },
    "machine create": (options) => {
        const os = options.optional("os", ...LEGAL.os) as MachineOs | undefined;
        const osLike = options.optional("os-like", ...LEGAL.osLike) as OsLike | undefined;
        const memory = options.optional("memory", ...LEGAL.memory);
        const name = options.required("name", ...LEGAL.label);
        const address6 = options.optional("address6", ...LEGAL.address6);
        const machine = { cluster: cluster(options), name, address: address(options), address6, os, osLike, memory };
        return async () => {
            checkAddress(machine.address, (await requireNetwork(machine.cluster)).subnet, 4);
            await createMachine({ ...machine, config: await readInput("the configuration of the machine") });
        };
    },
    "machine destroy": (options) => {
        const [of, name] = [cluster(options), options.required("name", ...LEGAL.label)];
        return () => destroyMachine(of, name);
    },
    "machine reboot": onMachine(reboot),
    "machine power-cut": onMachine(powerCut),
    "machine power-off": onMachine(powerOff),
    "machine power-on": onMachine(powerOn),
    "machine console": onMachine(async (of, name) => {
        process.stdout.write(await consoleLog(of, name));
    }),
    "bootstrap run": (options) => {
        const timeout = Number(options.optional("timeout", ...LEGAL.seconds) ?? 900);
        return onMachine(async (of, name) => {
            const packed = Buffer.from(await readInput("the assets of the bootstrap"), "base64");
            await startBootstrap(of, name, JSON.parse(gunzipSync(packed).toString()));
            await waitForBootstrap({ cluster: of, name, timeout });
        })(options);
    },
    "bootstrap wait": (options) => {
        const timeout = Number(options.optional("timeout", ...LEGAL.seconds) ?? 900);
        return onMachine((of, name) => waitForBootstrap({ cluster: of, name, timeout }))(options);
    },
    exec: (options) => {
        if (options.command.length === 0) {
            throw new UsageError("missing command after --");
        }
        return onMachine((of, name) => execInteractive(of, name, options.command))(options);
    },
    list: (options) => {
        const of = options.optional("cluster", ...LEGAL.label);
        return async () => {
            const found = await list(of);
            const lines = found.map((item) =>
                [item.cluster, item.name, item.role, item.address, item.state].join("\t"),
            );
            console.log(options.flag("json") ? JSON.stringify(found, null, 2) : lines.join("\n"));
        };
    },
    logs: (options) => {
        const [of, into] = [cluster(options), options.required("into", ...LEGAL.path)];
        return async () => {
            const names = await collectLogs(of, into);
            console.log(`saved the logs of ${names.length} containers to ${into}`);
        };
    },
    destroy: (options) => {
        const of = cluster(options);
        return () => destroyCluster(of);
    },
};

/**
 * Reads standard input, as it may hold keys that must not show up in a process list. Read as a stream: a plain read of
 * a pipe with a slower writer fails with EAGAIN.
 */
async function readInput(what: string): Promise<string> {
    const input = process.stdin.isTTY ? "" : await text(process.stdin);
    if (input.trim() === "") {
        throw new UsageError(`standard input must be ${what}, got nothing`);
    }
    return input;
}

if (require.main === module) {
    main(process.argv.slice(2)).then((exitCode) => {
        process.exitCode = exitCode;
    });
}

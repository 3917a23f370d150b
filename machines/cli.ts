import { ensureEngine } from "./engine";
import { Options, UsageError } from "./options";
import { VERBS } from "./verbs";

const HELP = `Local machines: containers that boot systemd and take their configuration by Ignition.

Usage: node -r tsx/cjs machines/cli.ts <verb> [options]

  network create        --cluster C --subnet CIDR --domain D [--subnet6 CIDR]   network, DNS and mirror
  network destroy       --cluster C
  load-balancer create  --cluster C --address IP --backends IP,IP,... [--publish PORT]
                        (with other backends: takes them over, connections stay)
  load-balancer destroy --cluster C
  machine create        --cluster C --name N --address IP [--address6 IP] [--os ignition|cloud-init] [--os-like ubuntu]
                        [--memory 4g] < config
  machine destroy       --cluster C --name N
  machine reboot        --cluster C --name N                   in good order
  machine power-cut     --cluster C --name N                   off at once, and on again
  machine power-off     --cluster C --name N                   off at once
  machine power-on      --cluster C --name N
  machine console       --cluster C --name N                   what its console showed
  bootstrap run         --cluster C --name N [--timeout 900]   starts a cluster there, its assets on standard
                        input: base64 of gzip
  bootstrap wait        --cluster C --name N [--timeout 900]   until the control plane has pivoted
  exec                  --cluster C --name N -- COMMAND...
  list                  [--cluster C] [--json]
  logs                  --cluster C --into DIR                 everything all of them have to tell
  destroy               --cluster C                            all of it
`;

/** Runs one command; resolves to its exit code: 2 for a bad command line, 1 for what went wrong. */
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
            console.error(`started the Docker engine ${version}, its log: ${startedWithLog}`);
        }
        const result = await act();
        return typeof result === "number" ? result : 0;
    } catch (error) {
        if (!(error instanceof Error)) throw error;
        console.error(process.env.TRADEWIND_DEBUG ? error : error.message);
        return error instanceof UsageError ? 2 : 1;
    }
}

if (require.main === module) {
    main(process.argv.slice(2)).then((exitCode) => {
        process.exitCode = exitCode;
    });
}

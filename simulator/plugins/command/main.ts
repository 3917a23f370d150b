import { randomBytes } from "node:crypto";
import { version } from "@pulumi/command/package.json";
import { topLevel } from "../protocol/diff";
import { compare, type Properties, type Provider, type Resource, secret, serve, UNKNOWN } from "../protocol/serve";
import { type CommandInputs, checkCommand, checkRun } from "./inputs";
import { type CommandOutputs, run } from "./run";

const provider: Provider = {
    name: "command",
    version,
    resource(type) {
        if (type === "command:local:Command") return command;
        throw new Error(`${type} needs the official command plugin: this stand-in runs commands on this machine only`);
    },
    async invoke(token, args, operation) {
        if (token !== "command:local:run") throw new Error(`the stand-in for the command provider has no ${token}`);
        const [failure] = checkRun(args);
        if (failure) throw new Error(failure.reason);
        const output = await run(String(args.command), args as CommandInputs, { stdout: "", stderr: "" }, operation);
        return { ...args, ...output };
    },
};

void serve(provider);

const NO_OUTPUT: CommandOutputs = { stdout: "", stderr: "" };

/** `command.local.Command`. */
const command: Resource = {
    async check({ inputs }) {
        return { inputs, failures: checkCommand(inputs) };
    },
    async diff({ oldInputs, inputs }) {
        return compare(oldInputs, inputs, (path) => topLevel(path) === "triggers");
    },
    async create(operation) {
        const { inputs, preview, name } = operation;
        const id = `${name}${randomBytes(4).toString("hex")}`;
        const output = preview ? undefined : await runIfAny(inputs.create, inputs, NO_OUTPUT, operation);
        return { id, state: { ...inputs, ...outputs(output, operation.secrets) } };
    },
    async update(operation) {
        const { inputs, preview, state } = operation;
        const previous = previousOutput(state);
        const output = preview
            ? undefined
            : await runIfAny(inputs.update ?? inputs.create, inputs, previous, operation);
        return { ...inputs, ...outputs(output, operation.secrets) };
    },
    async delete(operation) {
        const { state } = operation;
        await runIfAny(state.delete, state, previousOutput(state), operation);
    },
};

async function runIfAny(
    text: unknown,
    inputs: Properties,
    previous: CommandOutputs,
    operation: Parameters<typeof run>[3],
): Promise<CommandOutputs> {
    if (typeof text !== "string") return previous;
    return run(text, inputs as CommandInputs, previous, operation);
}

// A command's output may contain any of its inputs.
function outputs(output: CommandOutputs | undefined, secrets: ReadonlySet<string>): Properties {
    const { stdout, stderr } = output ?? { stdout: UNKNOWN, stderr: UNKNOWN };
    return secrets.size ? { stdout: secret(stdout), stderr: secret(stderr) } : { stdout, stderr };
}

function previousOutput({ stdout = "", stderr = "" }: Properties): CommandOutputs {
    return { stdout: String(stdout), stderr: String(stderr) };
}

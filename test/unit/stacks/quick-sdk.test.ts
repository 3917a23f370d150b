import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { join, resolve } from "node:path";

const root = resolve(__dirname, "../../..");

function run(program: string, ...nodeArgs: string[]): string {
    return execFileSync(process.execPath, [...nodeArgs, "-e", program], { cwd: root, encoding: "utf8" }).trim();
}

describe("the quick start of Pulumi's SDK", function () {
    this.timeout(30_000);
    const quick = ["--require", join(root, "bundling/quick-sdk.cjs")];
    const heavy = `Object.keys(require.cache).filter((path) => /node_modules.(typescript|@npmcli.arborist).lib/.test(path)).length`;

    it("does not load the compiler and npm's tree reader, which only the SDK uses", () => {
        const program = `require("@pulumi/pulumi"); console.log(${heavy} > 0)`;

        assert.equal(run(program), "true");
        assert.equal(run(program, ...quick), "false");
    });

    it("loads them when a function is serialized", () => {
        const program = `
            const pulumi = require("@pulumi/pulumi");
            const size = 3;
            pulumi.runtime.serializeFunction(() => size + 1).then(({ text }) => console.log(text));`;

        assert.match(run(program, ...quick), /size \+ 1/);
    });

    it("leaves what sends traces and what drives other programs unloaded, until they are used", () => {
        const parts = "@pulumi.pulumi.automation|@opentelemetry.sdk-trace|normalize-package-data";
        const program = `
            const count = () => Object.keys(require.cache).filter((path) => /node_modules.(${parts})/.test(path)).length;
            const pulumi = require("@pulumi/pulumi");
            const tracing = require("@pulumi/pulumi/cmd/run/tracing");
            const before = count();
            tracing.start("http://127.0.0.1:1/spans");
            const { LocalWorkspace } = pulumi.automation;
            pulumi.runtime.computeCodePaths().then((paths) => {
                console.log(before, typeof LocalWorkspace.create, paths.size > 0, count() > 10);
                process.exit();
            });`;

        assert.equal(run(program, ...quick), "0 function true true");
    });

    it("does not have V8's debugger follow what is loaded", () => {
        const program = `
            require("@pulumi/pulumi");
            // Like the SDK's runner.
            const hooks = require.cache[require.resolve("@pulumi/pulumi")].require("./runtime/closure/v8Hooks");
            hooks.isInitializedAsync().then(() => console.log(Object.keys(hooks)));`;

        assert.match(run(program), /getSessionAsync/);
        assert.equal(run(program, ...quick), "[ 'isInitializedAsync' ]");
    });

    it("runs our TypeScript", () => {
        const program = `console.log(require("./cluster/network/ports").ports.kubeApiserver)`;

        assert.equal(run(program, ...quick), "6443");
    });

    it("lets the SDK record where promises are created only when it looks for leaks", () => {
        const program = (setUp: string) => `
            ${setUp}
            require("@pulumi/pulumi");
            const promise = Promise.resolve();
            require("@pulumi/pulumi/runtime/debuggable").debuggablePromise(promise, "test");
            console.log(/ at /.test(promise._debugStackTrace), / at /.test(new Error().stack));`;

        assert.equal(run(program(""), ...quick), "false true");
        assert.equal(run(program("process.env.PULUMI_DEBUG_PROMISE_LEAKS = 'true'"), ...quick), "true true");
    });

    it("keeps the SDK from collecting debug information, if requested", () => {
        const program = (setting: string) => `
            process.env.TRADEWIND_PROGRAM_DEBUG = "${setting}";
            const { log } = require("@pulumi/pulumi");
            require("@pulumi/pulumi/runtime/settings").getEngine = () => { console.log("told"); };
            log.debug("message");`;

        assert.equal(run(program("true"), ...quick), "told");
        assert.equal(run(program("false"), ...quick), "");
    });

    it("keeps the SDK from telling what the engine answered, which has secrets in plain text", () => {
        const program = `
            const { log } = require("@pulumi/pulumi");
            require("@pulumi/pulumi/runtime/settings").getEngine = () => ({
                log: (request, done) => { console.log(request.getMessage()); done(null); },
            });
            log.debug("RegisterResource RPC finished: a; err: null, resp: a,privateKeyPem,secret\\nsecret");`;

        assert.match(run(program), /secret/);
        assert.equal(run(program, ...quick), "RegisterResource RPC finished: a; err: null, resp: [not shown]");
    });

    it("does not record where calls are made, which the error of each failed look-up would map to the sources", () => {
        const program = `
            require("@pulumi/pulumi");
            const { Client, credentials } = require("@grpc/grpc-js");
            const client = new Client("127.0.0.1:1", credentials.createInsecure());
            (function caller() {
                client.makeUnaryRequest("/a/b", Buffer.from, String, "", (error) => {
                    console.log(/UNAVAILABLE/.test(error.message), /caller/.test(error.stack));
                    process.exit();
                });
            })();
            if (!/ at /.test(new Error().stack)) throw new Error("no stack traces are left");`;

        assert.equal(run(program), "true true");
        assert.equal(run(program, ...quick), "true false");
    });

    it("sends the same bytes of long strings", () => {
        const program = `
            const { StringValue } = require("google-protobuf/google/protobuf/wrappers_pb");
            const texts = ["", "a", "é€😀", "a".repeat(600), "é€😀".repeat(30000)];
            const sent = texts.map((text) => Buffer.from(new StringValue().setValue(text).serializeBinary()));
            const read = sent.map((bytes) => StringValue.deserializeBinary(bytes).getValue());
            const { BinaryWriter } = require("google-protobuf");
            const hash = require("node:crypto").createHash("sha256").update(Buffer.concat(sent)).digest("hex");
            console.log(hash, texts.every((text, index) => read[index] === text), BinaryWriter.prototype.isQuick);`;

        const [plain, quickly] = [run(program), run(program, ...quick)];
        assert.match(plain, /^\w{64} true undefined$/);
        assert.equal(quickly, plain.replace("undefined", "true"));
    });

    it("makes V8 optimize functions later, with a setting that this Node knows", () => {
        const program = (flag: string) =>
            `require("node:v8").setFlagsFromString = (text) => console.log(text); ${flag}`;
        const setting = run(program(`require("./bundling/quick-sdk.cjs")`));
        assert.match(setting, /^--\S+=\d+$/);
        assert.match(run("", "--v8-options"), new RegExp(`${setting.split("=")[0]} `));
    });

    it("does not record where resources are created", () => {
        const program = `
            const { Resource } = require("@pulumi/pulumi");
            console.log(Resource.callsites().length > 0);`;

        assert.equal(run(program), "true");
        assert.equal(run(program, ...quick), "false");
    });

    it("shows which of our files an error comes from, although they are loaded as one", () => {
        const program = `
            Object.assign(process.env, { PULUMI_NODEJS_PROJECT: "tradewind", PULUMI_NODEJS_STACK: "unit" });
            require("@pulumi/pulumi");
            // Like the SDK's runner.
            require.cache[require.resolve("@pulumi/pulumi")].require("source-map-support/register");
            require("./stacks/index.ts").catch(({ stack }) => {
                console.log(Object.keys(require.cache).some((path) => path.endsWith("config.ts")), stack);
            });`;

        assert.match(run(program, ...quick), /^false Error: tradewind:machineCidr .*\n.*stacks\/config\.ts:\d+:/);
    });

    it("names files of the SDK that exist, since Node 20 colors other paths for ever", () => {
        const program = `
            Object.assign(process.env, { PULUMI_NODEJS_PROJECT: "tradewind", PULUMI_NODEJS_STACK: "unit" });
            const { Config } = require("@pulumi/pulumi");
            require.cache[require.resolve("@pulumi/pulumi")].require("source-map-support/register");
            try {
                new Config().require("missing");
            } catch ({ stack }) {
                const paths = [...stack.matchAll(/\\((\\/.*?):\\d+:\\d+\\)/g)].map(([, path]) => path);
                console.log(paths.length > 1, paths.filter((path) => !require("node:fs").existsSync(path)));
            }`;

        assert.match(run(program), /@pulumi\/config\.ts/);
        assert.equal(run(program, ...quick), "true []");
    });
});

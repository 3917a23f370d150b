import { Server, ServerCredentials } from "@grpc/grpc-js";
import { type PluginAttach, PluginInfo } from "@pulumi/pulumi/proto/plugin_pb";
import { ResourceProviderService } from "@pulumi/pulumi/proto/provider_grpc_pb";
import * as rpc from "@pulumi/pulumi/proto/provider_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { compare } from "./diff";
import { EngineLog } from "./log";
import { type CheckRequest, type CheckResponse, type DiffRequest, previewCalls } from "./preview-calls";
import type { Provider } from "./provider";
import { checkResponse, diffResponse, InitializationError } from "./responses";
import { answer, operationOf, type Session, untilEngineEnds } from "./session";
import { carrySecrets, decode, encode, reveal } from "./struct";
import type { Properties } from "./values";

// The engine kills a plugin 5 s after requesting it to stop.
const GRACE_MILLISECONDS = 4000;

/** Runs a provider as a plugin process: prints its port, serves the engine, and exits with it. */
export async function serve(provider: Provider): Promise<never> {
    const controller = new AbortController();
    const session: Session = {
        provider,
        log: new EngineLog(),
        signal: controller.signal,
        cancel: () => controller.abort(new Error("cancelled")),
        pending: new Set(),
    };
    const port = await listen((server) => {
        const service = { ...ResourceProviderService, ...previewCalls };
        server.addService(service, { ...configService(session), ...resourceService(session) });
    });
    process.stdout.write(`${port}\n`);

    await untilEngineEnds();
    session.cancel();
    const settled = Promise.allSettled([...session.pending]).then(() => provider.close?.());
    await Promise.race([settled, new Promise((resolve) => setTimeout(resolve, GRACE_MILLISECONDS))]);
    process.exit(0);
}

/** Calls about the provider as a whole. */
function configService(session: Session) {
    const { provider, log, signal, cancel } = session;
    return {
        handshake: answer(session, (request: rpc.ProviderHandshakeRequest) => {
            log.connect(request.getEngineAddress());
            return new rpc.ProviderHandshakeResponse().setAcceptSecrets(true);
        }),
        attach: answer(session, (request: PluginAttach) => {
            log.connect(request.getAddress());
            return new Empty();
        }),
        getPluginInfo: answer(session, () => new PluginInfo().setVersion(provider.version)),
        getSchema: answer(session, () => {
            const { name, version, settings = [], types = {} } = provider;
            const inputProperties = Object.fromEntries(settings.map((setting) => [setting, { type: "string" }]));
            const ofAny = (names: readonly string[]) =>
                Object.fromEntries(names.map((each) => [each, { $ref: "pulumi.json#/Any" }]));
            const described = Object.entries(types).map(([type, { inputs, outputs }]) => [
                type,
                { inputProperties: ofAny(inputs), properties: ofAny([...inputs, ...outputs]) },
            ]);
            const schema = { name, version, provider: { inputProperties }, resources: Object.fromEntries(described) };
            return new rpc.GetSchemaResponse().setSchema(JSON.stringify(schema));
        }),
        cancel: answer(session, () => {
            cancel();
            return new Empty();
        }),
        checkConfig: answer(session, async (request: rpc.CheckRequest) => {
            const inputs = reveal(decode(request.getNews()));
            return checkResponse((await provider.checkConfig?.(inputs)) ?? { inputs });
        }),
        diffConfig: answer(session, async (request: rpc.DiffRequest) => {
            const config = reveal(decode(request.getNews()));
            const oldConfig = reveal(decode(request.getOldInputs()));
            return diffResponse((await provider.diffConfig?.(config, oldConfig)) ?? { changes: {} });
        }),
        configure: answer(session, async (request: rpc.ConfigureRequest) => {
            await provider.configure?.(reveal(decode(request.getArgs())));
            return new rpc.ConfigureResponse().setAcceptsecrets(true).setSupportspreview(true);
        }),
        invoke: answer(session, async (request: rpc.InvokeRequest) => {
            if (!provider.invoke) throw new Error(`${provider.name} has no function ${request.getTok()}`);
            const context = { log: log.for(""), signal };
            const result = await provider.invoke(request.getTok(), reveal(decode(request.getArgs())), context);
            return new rpc.InvokeResponse().setReturn(encode(result));
        }),
    };
}

export { type Change, compare, type Diff } from "./diff";
export type { Log } from "./log";
export type * from "./provider";
export { InitializationError } from "./responses";
export { containsUnknown, isObject, isUnknown, type Properties, Secret, secret, UNKNOWN } from "./values";

/** Starts a gRPC server on a free port of the loopback address; `setUp` adds its services. */
export function listen(setUp: (server: Server) => void): Promise<number> {
    // User-data, manifests and state of any size are sent over it.
    const server = new Server({ "grpc.max_receive_message_length": -1, "grpc.max_send_message_length": -1 });
    setUp(server);
    return new Promise((resolve, reject) => {
        server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, port) => {
            if (error) reject(error);
            else resolve(port);
        });
    });
}

/** Calls about one resource each. */
function resourceService(session: Session) {
    const resourceOf = (type: string) => session.provider.resource(type);
    return {
        check: answer(session, async ({ urn, olds, news }: CheckRequest): Promise<CheckResponse> => {
            const operation = operationOf(session, urn, news);
            const inputs = reveal(news);
            const result = await resourceOf(operation.type).check?.({ ...operation, inputs, oldInputs: reveal(olds) });
            return { ...result, inputs: carrySecrets(result?.inputs ?? inputs, news) };
        }),
        diff: answer(session, async ({ id, urn, olds, news, oldInputs: recorded }: DiffRequest) => {
            const operation = operationOf(session, urn, news);
            const resource = resourceOf(operation.type);
            const [inputs, oldInputs, state] = [reveal(news), reveal(recorded), reveal(olds)];
            const diff = await resource.diff?.({ ...operation, id, inputs, oldInputs, state });
            return diffResponse(diff ?? compare(oldInputs, inputs, () => !resource.update));
        }),
        create: answer(session, async (request: rpc.CreateRequest) => {
            const raw = decode(request.getProperties());
            const operation = operationOf(session, request.getUrn(), raw);
            const [preview, timeout] = [request.getPreview(), request.getTimeout()];
            const { id, state } = await keepingSecretsOf(raw, () =>
                resourceOf(operation.type).create({ ...operation, inputs: reveal(raw), preview, timeout }),
            );
            return new rpc.CreateResponse().setId(preview ? "" : id).setProperties(encode(carrySecrets(state, raw)));
        }),
        read: answer(session, async (request: rpc.ReadRequest) => {
            const raw = { state: decode(request.getProperties()), inputs: decode(request.getInputs()) };
            const secrets = { ...raw.state, ...raw.inputs };
            const operation = operationOf(session, request.getUrn(), secrets);
            const recorded = { id: request.getId(), ...reveal(raw) };
            const resource = resourceOf(operation.type);
            const found = await keepingSecretsOf(secrets, async () =>
                resource.read ? resource.read({ ...operation, ...recorded, timeout: request.getTimeout() }) : recorded,
            );
            if (!found) return new rpc.ReadResponse();
            return new rpc.ReadResponse()
                .setId(found.id)
                .setProperties(encode(carrySecrets(found.state, secrets)))
                .setInputs(encode(carrySecrets(found.inputs, secrets)));
        }),
        update: answer(session, async (request: rpc.UpdateRequest) => {
            const raw = decode(request.getNews());
            const operation = operationOf(session, request.getUrn(), raw);
            const resource = resourceOf(operation.type);
            if (!resource.update) throw new Error(`${operation.type} cannot be updated in place`);
            const sides = {
                inputs: reveal(raw),
                oldInputs: reveal(decode(request.getOldInputs())),
                state: reveal(decode(request.getOlds())),
            };
            const details = { id: request.getId(), preview: request.getPreview(), timeout: request.getTimeout() };
            const state = await keepingSecretsOf(raw, () => resource.update!({ ...operation, ...details, ...sides }));
            return new rpc.UpdateResponse().setProperties(encode(carrySecrets(state, raw)));
        }),
        delete: answer(session, async (request: rpc.DeleteRequest) => {
            const raw = { state: decode(request.getProperties()), inputs: decode(request.getOldInputs()) };
            const operation = operationOf(session, request.getUrn(), { ...raw.state, ...raw.inputs });
            const details = { id: request.getId(), timeout: request.getTimeout() };
            await resourceOf(operation.type).delete?.({ ...operation, ...details, ...reveal(raw) });
            return new Empty();
        }),
    };
}

// A state attached to an error is recorded too, so its secrets have to be marked as well.
async function keepingSecretsOf<T>(secrets: Properties, work: () => Promise<T>): Promise<T> {
    try {
        return await work();
    } catch (error) {
        if (!(error instanceof InitializationError)) throw error;
        throw new InitializationError(error.message, error.id, carrySecrets(error.state, secrets), error.reasons);
    }
}

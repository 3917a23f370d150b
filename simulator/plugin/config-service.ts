import type { PluginAttach } from "@pulumi/pulumi/proto/plugin_pb";
import { PluginInfo } from "@pulumi/pulumi/proto/plugin_pb";
import * as rpc from "@pulumi/pulumi/proto/provider_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { checkResponse, diffResponse } from "./responses";
import { answer, type Session } from "./session";
import { decode, encode, reveal } from "./wire";

/** The calls that concern the provider as a whole. */
export function configService(session: Session) {
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
            const { name, version, settings = [] } = provider;
            const inputProperties = Object.fromEntries(settings.map((setting) => [setting, { type: "string" }]));
            const schema = { name, version, provider: { inputProperties } };
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

import { ResourceProviderService } from "@pulumi/pulumi/proto/provider_grpc_pb";
import { configService } from "./config-service";
import { untilEngineEnds } from "./engine-end";
import { listen } from "./listen";
import { EngineLog } from "./log";
import { previewCalls } from "./preview-calls";
import type { Provider } from "./provider";
import { resourceService } from "./resource-service";
import type { Session } from "./session";

// The engine kills a plugin 5 s after it asked it to end.
const GRACE_MILLISECONDS = 4000;

/** Runs a provider as a plugin process: prints its port, answers the engine, ends with it. */
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

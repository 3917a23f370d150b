import { images } from "../../../versions/images";
import type { Act, Fault, Scene } from "./fault";

const badFlag = "--no-such-flag=true";
const badTag = "v0.0.0-missing";

const components = {
    "kube-apiserver": images.kubeApiserver,
    "kube-controller-manager": images.kubeControllerManager,
    "kube-scheduler": images.kubeScheduler,
} as const;
type Component = keyof typeof components;

interface Container {
    readonly image: string;
    readonly command: readonly string[];
}

/** Changes the component's own container, the first of its pod; without a change the object is left alone. */
async function change({ cluster }: Scene, component: Component, next: (container: Container) => Container) {
    interface DaemonSet {
        readonly spec: { readonly template: { readonly spec: { readonly containers: readonly Container[] } } };
    }
    const { spec } = await cluster.get<DaemonSet>("daemonset", component, "-n", "kube-system");
    const container = spec.template.spec.containers[0]!;
    const { image, command } = next(container);
    if (image === container.image && command.join() === container.command.join()) return;
    const at = (field: string) => `/spec/template/spec/containers/0/${field}`;
    const patch = JSON.stringify([
        { op: "replace", path: at("image"), value: image },
        { op: "replace", path: at("command"), value: command },
    ]);
    await cluster.kubectl("-n", "kube-system", "patch", "daemonset", component, "--type=json", "--patch", patch);
}

function mended(component: Component): Act {
    return (scene) =>
        change(scene, component, ({ command }) => ({
            image: components[component],
            command: command.filter((word) => word !== badFlag),
        }));
}

/** Manual changes that cannot work: the new pods fail, and the old ones must keep serving. */
export const changeFaults: readonly Fault[] = (Object.keys(components) as Component[]).flatMap((component) => [
    {
        name: `bad-flag-${component}`,
        about: `${component} gets an unknown flag`,
        target: "cluster",
        lasts: 45,
        group: `change-${component}`,
        inject: (scene) =>
            change(scene, component, ({ image, command }) => ({ image, command: [...command, badFlag] })),
        heal: mended(component),
    },
    {
        name: `bad-image-${component}`,
        about: `${component} gets an image that does not exist`,
        target: "cluster",
        lasts: 45,
        group: `change-${component}`,
        inject: (scene) =>
            change(scene, component, ({ image, command }) => ({
                image: image.replace(/:[^:]*$/, `:${badTag}`),
                command,
            })),
        heal: mended(component),
    },
]);

/** What the simulated service offers: a subset of the real one. */
export const regions = ["fra1", "nyc3", "sgp1"];

export const sizes = ["s-1vcpu-1gb", "s-1vcpu-2gb", "s-2vcpu-2gb", "s-2vcpu-4gb", "s-4vcpu-8gb"];

/** Images by slug, and how each is configured. */
export const images: Readonly<Record<string, "ignition" | "cloud-init">> = {
    "ubuntu-24-04-x64": "cloud-init",
    "ubuntu-26-04-x64": "cloud-init",
};

/** Maximum size of user-data in bytes. */
export const maxUserData = 64 * 1024;

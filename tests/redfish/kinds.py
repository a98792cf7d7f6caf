# SPDX-License-Identifier: BSD-2-Clause
"""Documents of BMCs as their makers document them, of a machine as tests/hosts describes it (altra-1p)."""
import copy

USER, PASSWORD = "auditor", "geheim-\"\\'$ PLANTEDPASSWORD"
PRODUCT, MAKER = "R152-P30-00", "GIGABYTE"
FIRMWARE = "F31L (SCP: 2.10.20220531)"
SERIAL, ASSET, HOST = "PLANTEDSERIAL7734", "PLANTEDASSET7734", "planted-bmc-name"
UUID = "7ab3c0de-1111-4222-8333-94445555aaaa"
# By our setting: the names of Ampere's guide, how AMI's firmware names attributes, their values.
SETTINGS = {
    "anc": ("ANC Mode", "CHIP001", ["Monolithic", "Hemisphere", "Quadrant"]),
    "slc-as-l3": ("SLC as L3 Cache", "CHIP002", ["Enabled", "Disabled"]),
    "slc-replacement": ("SLC Replacement Policy", "CHIP003",
                        ["Enhanced Least Recently Used", "Least Recently Used", "Random"]),
    "prefetch": ("L1/L2 Prefetch", "CHIP004", ["Enabled", "Disabled"]),
    "cppc": ("CPPC Support", "ACPI001", ["Enabled", "Disabled"]),
    "lpi": ("LPI Support", "ACPI002", ["Enabled", "Disabled"]),
}
GOOD = {"anc": "Monolithic", "slc-as-l3": "Disabled", "slc-replacement": "Enhanced Least Recently Used",
        "prefetch": "Enabled", "cppc": "Disabled", "lpi": "Disabled"}


def link(path):
    return {"@odata.id": path}


def collection(path, members, **more):
    return {"@odata.id": path, "Members": [link(member) for member in members], "Members@odata.count": len(members), **more}


def registry(names, values=str):
    """An attribute registry; names[key] is the attribute's, values() makes a value's name of what people read."""
    rows = [{"AttributeName": names[key], "DisplayName": shown, "Type": "Enumeration", "ReadOnly": False,
             "MenuPath": "./Chipset/CPUConfiguration",
             "Value": [{"ValueName": values(word), "ValueDisplayName": word} for word in choices]}
            for key, (shown, _, choices) in SETTINGS.items()]
    rows.append({"AttributeName": "ADMIN01", "DisplayName": "Administrator Password", "Type": "Password"})
    rows.append({"AttributeName": "ASSET01", "DisplayName": "Asset Tag", "Type": "String"})
    return {"Id": "BiosAttributeRegistry", "Language": "en", "RegistryVersion": "1.0.0",
            "RegistryEntries": {"Attributes": rows, "Menus": [], "Dependencies": []}}


def settings(names, values=str, **changed):
    attributes = {names[key]: values(word) for key, word in {**GOOD, **changed}.items()}
    return {**attributes, "ADMIN01": "PLANTEDBIOSPASSWORD", "ASSET01": ASSET}


def machine(root, system, slash=""):
    """What all have: the system, its memory and processors, firmware."""
    base = f"{root}/Systems/{system}" if not slash else f"{root}/systems/{system}"
    memory, cpus = f"{base}/Memory{slash}", f"{base}/Processors{slash}"
    if slash:
        memory, cpus = memory.lower(), cpus.lower()
    dimms = [f"{memory.rstrip('/')}/DIMM{number}{slash}" for number in range(16)]
    docs = {
        base: {"@odata.id": base + slash, "Id": system, "Name": HOST, "HostName": HOST, "SerialNumber": SERIAL,
               "UUID": UUID, "AssetTag": ASSET, "Manufacturer": MAKER, "Model": PRODUCT, "BiosVersion": FIRMWARE,
               "SystemType": "Physical", "ProcessorSummary": {"Count": 1, "Model": "Ampere(R) Altra(R) Processor"},
               "Memory": link(memory), "Processors": link(cpus), "Status": {"State": "Enabled", "Health": "OK"}},
        memory.rstrip("/"): collection(memory, dimms),
        cpus.rstrip("/"): collection(cpus, [f"{cpus.rstrip('/')}/1{slash}"]),
        f"{cpus.rstrip('/')}/1": {"ProcessorType": "CPU", "Model": "Ampere(R) Altra(R) Processor", "TotalCores": 80,
                                  "SerialNumber": SERIAL, "Status": {"State": "Enabled"}},
    }
    for number, path in enumerate(dimms):
        full = number % 2 == 0
        docs[path.rstrip("/")] = {
            "DeviceLocator": f"DIMM_P0_{number}", "SerialNumber": SERIAL if full else None,
            "PartNumber": "M393A4G43AB3-CWE" if full else None, "CapacityMiB": 32768 if full else None,
            "OperatingSpeedMhz": 3200 if full else None, "Status": {"State": "Enabled" if full else "Absent"}}
    return base, docs


def service(root, slash="", **more):
    return {"@odata.id": f"{root}/", "Id": "RootService", "RedfishVersion": "1.17.0", "UUID": UUID,
            "Systems": link(f"{root}/Systems{slash}" if not slash else f"{root}/systems{slash}"),
            "Registries": link(f"{root}/Registries{slash}" if not slash else f"{root}/registries{slash}"),
            "Links": {"Sessions": link(f"{root}/SessionService/Sessions{slash}")}, **more}


def openbmc():
    """Upstream bmcweb: Bios has a ResetBios action and no Attributes."""
    root = "/redfish/v1"
    base, docs = machine(root, "system")
    docs[base]["Bios"] = link(f"{base}/Bios")
    docs.update({
        root: service(root, UpdateService=link(f"{root}/UpdateService")),
        f"{root}/Systems": collection(f"{root}/Systems", [base]),
        f"{base}/Bios": {"@odata.type": "#Bios.v1_1_0.Bios", "Id": "BIOS",
                         "Actions": {"#Bios.ResetBios": {"target": f"{base}/Bios/Actions/Bios.ResetBios"}}},
        f"{root}/Registries": collection(f"{root}/Registries", [f"{root}/Registries/Base"]),
        f"{root}/UpdateService": {"FirmwareInventory": link(f"{root}/UpdateService/FirmwareInventory")},
        f"{root}/UpdateService/FirmwareInventory": collection(f"{root}/UpdateService/FirmwareInventory",
                                                              [f"{root}/UpdateService/FirmwareInventory/bmc_active"]),
        f"{root}/UpdateService/FirmwareInventory/bmc_active": {"Version": "2.16.0"},
    })
    return docs


def ami(system="Self", **changed):
    """MegaRAC: "Self", attributes with numbers for names, settings for later at Bios/SD."""
    root, names = "/redfish/v1", {key: row[1] for key, row in SETTINGS.items()}
    base, docs = machine(root, system)
    docs[base]["Bios"] = link(f"{base}/Bios")
    name = "BiosAttributeRegistryMP32.1.0.0"
    file = f"{root}/Registries/{name}"
    docs.update({
        root: service(root, Vendor="AMI", Product="AMI Redfish Server"),
        f"{root}/Systems": collection(f"{root}/Systems", [base]),
        f"{base}/Bios": {"AttributeRegistry": name, "Attributes": settings(names, **changed),
                         "@Redfish.Settings": {"SettingsObject": link(f"{base}/Bios/SD")}},
        f"{base}/Bios/SD": {"Attributes": {}},
        f"{root}/Registries": collection(f"{root}/Registries", [f"{root}/Registries/Base.1.5.0", file]),
        file: {"Id": name, "Registry": name, "Languages": ["en"],
               "Location": [{"Language": "en", "Uri": f"{file}.json"}]},
        f"{file}.json": registry(names),
    })
    return docs


def supermicro(**changed):
    """"1", attributes named as they are shown, BMC's processors without a model and cores."""
    root, names = "/redfish/v1", {key: row[0].replace(" ", "").replace("/", "") for key, row in SETTINGS.items()}
    base, docs = machine(root, "1")
    docs[base]["Bios"] = link(f"{base}/Bios")
    docs[f"{base}/Processors/1"].update(Model=None, TotalCores=None)
    file = f"{root}/Registries/BiosAttributeRegistry.v1_0_0"
    docs.update({
        root: service(root, Vendor="Supermicro", Product=None),
        f"{root}/Systems": collection(f"{root}/Systems", [base]),
        f"{base}/Bios": {"AttributeRegistry": "BiosAttributeRegistry.v1_0_0", "Attributes": settings(names, **changed),
                         "@Redfish.Settings": {"SettingsObject": link(f"{base}/Bios/SD")}},
        f"{base}/Bios/SD": {"Attributes": settings(names, **changed)},
        f"{root}/Registries": collection(f"{root}/Registries", [file]),
        file: {"Registry": "BiosAttributeRegistry.v1_0_0", "Location": [{"Language": "en-US", "Uri": f"{file}/Registry"}]},
        f"{file}/Registry": registry(names),
    })
    return docs


def hpe(**changed):
    """iLO 6: lower-case addresses that end with a slash, compressed registries, names of words for values."""
    root, slash = "/redfish/v1", "/"
    names = {"anc": "AmpereNumaControl", "slc-as-l3": "SlcAsL3", "slc-replacement": "SlcReplacementPolicy",
             "prefetch": "L1L2Prefetcher", "cppc": "Cppc", "lpi": "LpiSupport"}

    def camel(word):
        return word.replace(" ", "")
    base, docs = machine(root, "1", slash)
    docs[base]["Bios"] = link(f"{base}/bios/")
    docs[base]["Oem"] = {"Hpe": {"SerialNumber": SERIAL, "HostOS": {"OsName": HOST}}}
    name = "BiosAttributeRegistryA43.v1_2_44"
    file = f"{root}/registries/{name.lower()}"
    stored = f"{root}/registrystore/registries/en/{name.lower()}"
    docs.update({
        root: service(root, slash, Vendor="HPE", Product="ProLiant RL300 Gen11"),
        f"{root}/systems": collection(f"{root}/systems/", [f"{base}/"]),
        f"{base}/bios": {"@odata.id": f"{base}/bios/", "AttributeRegistry": name, "Oem": {"Hpe": {}},
                         "Attributes": {**settings(names, camel, **changed), "AdminName": HOST},
                         "@Redfish.Settings": {"SettingsObject": link(f"{base}/bios/settings/")}},
        f"{base}/bios/settings": {"Attributes": settings(names, camel, **changed)},
        f"{root}/registries": collection(f"{root}/registries/", [f"{root}/registries/base/", f"{file}/"]),
        file: {"Registry": name, "Location": [{"Language": "en", "Uri": f"{stored}/"}]},
        stored: registry(names, camel),
    })
    return docs


KINDS = {"openbmc": openbmc, "ami": ami, "supermicro": supermicro, "hpe": hpe}


def copied(docs):
    return copy.deepcopy(docs)

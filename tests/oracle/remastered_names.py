"""Names of the numbers in recordings of the classic games, from the format sheet."""


def words(text):
    return [word.strip() for word in text.replace("\n", " ").split(",")]


def span(prefix, first, last):
    return ", ".join(f"{prefix}{n}" for n in range(first, last + 1))


HOUSES = {
    "ra": words("Spain, Greece, USSR, England, Ukraine, Germany, France, Turkey, Good, Bad, Neutral, Special, "
                + span("Multi", 1, 8)),
    "td": words("GDI, Nod, neutral, special, " + span("Multi", 1, 6))}
MISSIONS = {
    "ra": words("""sleep, attack, move, queued move, retreat, guard, sticky, enter, capture, harvest, guard area,
                return, stop, ambush, hunt, unload, sabotage, construction, deconstruction, repair, rescue, missile,
                harmless"""),
    "td": words("""sleep, attack, move, retreat, guard, sticky, enter, capture, harvest, guard area, return, stop,
                ambush, hunt, timed hunt, unload, sabotage, construction, deconstruction, repair, rescue, missile""")}
WEAPONS = {
    "ra": words("""sonar, nuclear, chronosphere, parabomb, paratroops, spy plane, iron curtain, GPS,
                second chronosphere click"""),
    "td": words("none, ion cannon, nuclear, air strike")}
SESSIONS = {
    "ra": words("normal, modem, null modem, IPX, internet, skirmish, TEN, MPath, glyphx"),
    "td": words("normal, modem, null modem, IPX, internet, glyphx")}
CLASSES = {
    "ra": words("""none, aircraft, aircraft type, anim, anim type, building, building type, bullet, bullet type,
                cell, factory, house, house type, infantry, infantry type, overlay, overlay type, smudge, smudge type,
                special, team, team type, template, template type, terrain, terrain type, trigger, trigger type, unit,
                unit type, vessel, vessel type"""),
    "td": words("""none, infantry, infantry type, unit, unit type, aircraft, aircraft type, building, building type,
                terrain, abstract type, anim, anim type, bullet, bullet type, overlay, overlay type, smudge,
                smudge type, team, template, template type, terrain type, object, special""")}
ITEMS = {
    ("ra", "building type"): words("""advanced tech, iron curtain, war factory, chronosphere, pillbox, camo pillbox,
        radar, gap, turret, AA gun, flame turret, construction yard, refinery, silo, helipad, SAM, airstrip, power,
        advanced power, soviet tech, hospital, barracks, tent, kennel, repair, bio lab, mission, ship yard, sub pen,
        missile silo, forward command, tesla, fake war factory, fake yard, fake ship yard, fake sub pen,
        fake radar"""),
    ("ra", "infantry type"): words("E1, E2, E3, E4, engineer, tanya, spy, thief, medic, general, dog, "
                                   + span("C", 1, 10) + ", einstein, delphi, chan, shock, mechanic"),
    ("ra", "unit type"): words("""heavy tank, medium tank, medium tank 2, light tank, APC, minelayer, jeep, harvester,
        artillery, radar jammer, gap generator, MCV, V2, truck, ant1, ant2, ant3, chrono tank, tesla tank, MAD tank,
        demo truck, phase"""),
    ("ra", "vessel type"): words("sub, destroyer, cruiser, transport, PT, missile sub, carrier"),
    ("ra", "aircraft type"): words("transport, badger, spy plane, MiG, Yak, longbow, hind"),
    ("td", "building type"): words("""war factory, guard tower, adv. guard tower, obelisk, radar, turret,
        construction yard, refinery, silo, helipad, SAM, airstrip, power, adv. power, hospital, barracks, tanker,
        repair, bio lab, hand of Nod, temple, eye, mission"""),
    ("td", "infantry type"): words("E1, E2, E3, E4, E5, E7, rambo, " + span("C", 1, 10) + ", moebius, delphi, chan"),
    ("td", "unit type"): words("""heavy tank, medium tank, light tank, stealth tank, flame tank, visceroid, APC, MLRS,
        jeep, buggy, harvester, artillery, missile launcher, hover, MHQ, gunboat, MCV, bike"""),
    ("td", "aircraft type"): words("transport, A10, helicopter, cargo, orca")}


def pick(names, number):
    return names[number] if 0 <= number < len(names) else None


def house(game, number):
    return "none" if number == -1 else pick(HOUSES[game], number)


def mission(game, number):
    return "none" if number == -1 else pick(MISSIONS[game], number)


def weapon(game, number):
    return "none" if game == "ra" and number == -1 else pick(WEAPONS[game], number)


def item(game, rtti, number):
    """What is produced; the class and the number where it has no name."""
    kind = pick(CLASSES[game], rtti)
    found = pick(ITEMS.get((game, kind), []), number)
    return found or f"{kind or f'class {rtti}'} {number}"
